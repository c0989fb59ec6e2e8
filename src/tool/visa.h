/* visa.h - the verbs as, dis, lint and info for vISA: text (.visaasm) and binary (.isa) files. */
#ifndef OG_TOOL_VISA_H
#define OG_TOOL_VISA_H

#include <stdbool.h>

/* Whether the verb's arguments name a vISA file, which is recognised by its content, then by its name; if so,
 * og_visa_verb runs it. */
bool og_visa_takes(int argc, char **argv);
int og_visa_verb(int argc, char **argv);

#endif
