/* rules.h - which actions depend on nothing but what they are given. */
#pragma once

#include "comgr/bytes.h"

/* Whether an action of this kind is worth an entry: the others only copy, or are hardly asked for twice. */
bool og_comgr_is_worth_it(int kind);

/* Whether neither the environment nor the current folder holds anything that changes what the compiler does. */
bool og_comgr_is_plain_surrounding(void);

/* Whether no option (a block each, with its final zero) names a file other than an object of the set (object.h). */
bool og_comgr_are_plain_options(struct comgr_rest options, struct comgr_rest set);

/* Whether what the set's objects hold makes an action of this kind read no other file, and no clock. */
bool og_comgr_are_plain_objects(int kind, struct comgr_rest set);
