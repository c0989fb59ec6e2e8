/* commands.c - which commands (packets, copies, accesses of the host) happened before which, by the rules of HSA's
 * queues. A packet is launched after those before it in its queue. If it is a barrier, or a later packet has the
 * barrier bit, it ends before the later one is launched. Signals pass on what the commands that changed them knew. A
 * command sees another's writes once a release fence has made them available to the agent or to all, and an acquire
 * fence has followed. Each remembered command has a bit in sets; the oldest are forgotten. */
#include "check/commands.h"
#include "check/commands_compare.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { COMMANDS = 512, WORDS = COMMANDS / 64, BUCKETS = 256, PIECES_MOST = 4 << 20 /* of all that is remembered */ };
enum scope { SCOPE_NONE, SCOPE_AGENT, SCOPE_SYSTEM };

/* Sets of commands: those that have ended before; those whose writes are released; those of which an agent's caches
 * hold no stale data. */
enum { ENDED, RELEASED_AGENT, RELEASED_SYSTEM, ACQUIRED, SETS = ACQUIRED + OG_COMMAND_AGENTS };

struct known {
  struct known *next, **link; /* in the list of all */
  uint64_t set[SETS][WORDS];
};

struct note { /* what the host knew when it rang the doorbell for packets */
  struct note *next;
  uint64_t first, end;
  struct known known;
};

struct og_command_queue {
  struct og_command_queue *next;
  uint64_t number;
  unsigned agent;
  struct known launched, ended; /* what the next launched packet knows; one with the barrier bit */
  struct note *notes, **last;
};

struct og_command {
  struct known before;            /* what it knew when it began */
  struct og_command_queue *queue; /* NULL: it is a copy */
  uint64_t index;
  uint16_t header;
  bool barrier; /* no later packet is launched before it has ended */
  bool unasked; /* it is not known who wrote the packet */
};

/* A command that runs or has ended. */
struct remembered {
  struct og_footprint *footprint; /* NULL: free */
  struct og_commands_party party;
  uint64_t age;
};

struct signal {
  struct signal *next;
  const void *address;
  struct known known;
};

struct og_commands {
  pthread_mutex_t lock;
  struct og_commands_options options;
  struct known *all, host;
  struct og_command_queue *queues;
  struct signal *signals[BUCKETS];
  struct remembered remembered[COMMANDS];
  uint64_t age;
  size_t pieces;
};

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static void known_begin(struct og_commands *c, struct known *known) {
  memset(known->set, 0, sizeof known->set);
  known->next = c->all;
  known->link = &c->all;
  if (c->all)
    c->all->link = &known->next;
  c->all = known;
}

static void known_end(struct known *known) {
  *known->link = known->next;
  if (known->next)
    known->next->link = known->link;
}

static void join(struct known *to, const struct known *from) {
  for (unsigned s = 0; s < SETS; s++)
    for (unsigned w = 0; w < WORDS; w++)
      to->set[s][w] |= from->set[s][w];
}

static bool has(const struct known *known, unsigned set, unsigned which) {
  return known->set[set][which / 64] >> which % 64 & 1;
}
static void add(struct known *known, unsigned set, unsigned which) {
  known->set[set][which / 64] |= 1ull << which % 64;
}

/* The commands of an agent, as bits. */
static void agents_own(const struct og_commands *c, unsigned agent, uint64_t own[WORDS]) {
  memset(own, 0, WORDS * sizeof *own);
  for (unsigned i = 0; i < COMMANDS; i++)
    if (c->remembered[i].footprint && c->remembered[i].party.agent == agent)
      own[i / 64] |= 1ull << i % 64;
}

/* Invalidates the agent's caches. */
static void acquire(const struct og_commands *c, struct known *known, unsigned agent, enum scope scope) {
  uint64_t own[WORDS];
  agents_own(c, agent, own);
  for (unsigned w = 0; w < WORDS && scope >= SCOPE_AGENT; w++)
    known->set[ACQUIRED + agent][w] |=
        (known->set[RELEASED_AGENT][w] & own[w]) | (scope == SCOPE_SYSTEM ? known->set[RELEASED_SYSTEM][w] : 0);
}

/* The agent's caches write back their data. */
static void release(const struct og_commands *c, struct known *known, unsigned agent, enum scope scope) {
  uint64_t own[WORDS];
  agents_own(c, agent, own);
  for (unsigned w = 0; w < WORDS && scope >= SCOPE_AGENT; w++) {
    known->set[RELEASED_AGENT][w] |= known->set[ENDED][w] & own[w];
    known->set[RELEASED_SYSTEM][w] |= scope == SCOPE_SYSTEM ? known->set[ENDED][w] & own[w] : 0;
  }
}

static enum scope acquires(uint16_t header) { return OG_MIN(header >> 9 & 3, (int)SCOPE_SYSTEM); }
static enum scope releases(uint16_t header) { return OG_MIN(header >> 11 & 3, (int)SCOPE_SYSTEM); }

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static struct signal **find_signal(struct og_commands *c, const void *address) {
  struct signal **link = &c->signals[((uintptr_t)address >> 6) % BUCKETS];
  while (*link && (*link)->address != address)
    link = &(*link)->next;
  return link;
}

static struct known *signal_known(struct og_commands *c, const void *address) {
  struct signal **link = find_signal(c, address);
  if (!*link) {
    *link = og_checked_realloc(NULL, sizeof **link);
    (*link)->next = NULL;
    (*link)->address = address;
    known_begin(c, &(*link)->known);
  }
  return &(*link)->known;
}

void og_commands_host_sees(struct og_commands *c, const void *address) {
  pthread_mutex_lock(&c->lock);
  const struct signal *signal = *find_signal(c, address);
  if (signal)
    join(&c->host, &signal->known);
  pthread_mutex_unlock(&c->lock);
}

void og_commands_host_tells(struct og_commands *c, const void *address, bool sets) {
  pthread_mutex_lock(&c->lock);
  struct known *known = signal_known(c, address);
  if (sets)
    memset(known->set, 0, sizeof known->set);
  join(known, &c->host);
  pthread_mutex_unlock(&c->lock);
}

void og_commands_forget(struct og_commands *c, const void *address) {
  pthread_mutex_lock(&c->lock);
  struct signal **link = find_signal(c, address), *gone = *link;
  if (gone) {
    *link = gone->next;
    known_end(&gone->known);
    free(gone);
  }
  pthread_mutex_unlock(&c->lock);
}

/* ---- what is remembered ------------------------------------------------------------------------------------------ */

static void forget(struct og_commands *c, unsigned which) {
  struct og_footprint *footprint = c->remembered[which].footprint;
  c->pieces -= footprint->reads.count + footprint->writes.count;
  og_footprint_free(footprint);
  c->remembered[which].footprint = NULL;
  for (struct known *known = c->all; known; known = known->next)
    for (unsigned s = 0; s < SETS; s++)
      known->set[s][which / 64] &= ~(1ull << which % 64);
}

/* The oldest remembered command; COMMANDS: there is none. */
static unsigned oldest(const struct og_commands *c) {
  unsigned found = COMMANDS;
  for (unsigned i = 0; i < COMMANDS; i++)
    if (c->remembered[i].footprint && (found == COMMANDS || c->remembered[i].age < c->remembered[found].age))
      found = i;
  return found;
}

static unsigned remember(struct og_commands *c, struct og_footprint *footprint, const struct og_commands_party *party) {
  unsigned which = 0;
  c->pieces += footprint->reads.count + footprint->writes.count;
  for (unsigned old = oldest(c); c->pieces > PIECES_MOST && old < COMMANDS; old = oldest(c))
    forget(c, old);
  while (which < COMMANDS && c->remembered[which].footprint)
    which++;
  if (which == COMMANDS)
    forget(c, which = oldest(c));
  c->remembered[which] = (struct remembered){footprint, *party, c->age++};
  return which;
}

/* Whether the command sees the writes of an earlier one. */
static bool is_seen(const struct known *before, unsigned agent, const struct og_commands_party *other, unsigned which) {
  if (agent)
    return has(before, ACQUIRED + agent, which);
  return other->agent == 0 || has(before, RELEASED_SYSTEM, which);
}

static void compare(const struct og_commands *c, const struct known *before, const struct og_commands_party *mine,
                    const struct og_footprint *footprint, unsigned self) {
  for (unsigned i = 0; i < COMMANDS; i++) {
    const struct remembered *other = &c->remembered[i];
    if (i == self || !other->footprint || other->footprint->low >= footprint->high ||
        footprint->low >= other->footprint->high)
      continue;
    bool ended = has(before, ENDED, i);
    if (!ended || !is_seen(before, mine->agent, &other->party, i))
      og_commands_compare(&c->options, footprint, mine, other->footprint, &other->party, ended);
  }
}

/* A command has ended, which later commands may know. */
static void finish(struct og_commands *c, struct known *known, const struct og_commands_party *party, uint16_t header,
                   struct og_footprint *footprint) {
  if (footprint) {
    unsigned which = remember(c, footprint, party);
    compare(c, known, party, footprint, which);
    add(known, ENDED, which);
    if (party->agent == 0)
      add(known, RELEASED_AGENT, which), add(known, RELEASED_SYSTEM, which);
  }
  if (party->agent)
    release(c, known, party->agent, releases(header));
}

/* ---- the host ---------------------------------------------------------------------------------------------------- */

void og_commands_host(struct og_commands *c, struct og_footprint *footprint) {
  pthread_mutex_lock(&c->lock);
  finish(c, &c->host, &(struct og_commands_party){0}, 0, footprint);
  pthread_mutex_unlock(&c->lock);
}

/* ---- queues ------------------------------------------------------------------------------------------------------ */

struct og_command_queue *og_commands_queue(struct og_commands *c, uint64_t number, unsigned agent) {
  struct og_command_queue *queue = og_checked_realloc(NULL, sizeof *queue);
  *queue = (struct og_command_queue){.number = number, .agent = agent % OG_COMMAND_AGENTS};
  queue->agent = queue->agent ? queue->agent : 1;
  queue->last = &queue->notes;
  pthread_mutex_lock(&c->lock);
  known_begin(c, &queue->launched);
  known_begin(c, &queue->ended);
  queue->next = c->queues;
  c->queues = queue;
  pthread_mutex_unlock(&c->lock);
  return queue;
}

static void drop_note(struct og_command_queue *queue) {
  struct note *note = queue->notes;
  queue->notes = note->next;
  if (!queue->notes)
    queue->last = &queue->notes;
  known_end(&note->known);
  free(note);
}

void og_commands_queue_end(struct og_commands *c, struct og_command_queue *queue) {
  pthread_mutex_lock(&c->lock);
  struct og_command_queue **link = &c->queues;
  while (*link != queue)
    link = &(*link)->next;
  *link = queue->next;
  join(&c->host, &queue->ended);
  while (queue->notes)
    drop_note(queue);
  known_end(&queue->launched);
  known_end(&queue->ended);
  free(queue);
  pthread_mutex_unlock(&c->lock);
}

void og_commands_rung(struct og_commands *c, struct og_command_queue *queue, uint64_t first, uint64_t end) {
  struct note *note = og_checked_realloc(NULL, sizeof *note);
  note->next = NULL, note->first = first, note->end = end;
  pthread_mutex_lock(&c->lock);
  known_begin(c, &note->known);
  join(&note->known, &c->host);
  *queue->last = note;
  queue->last = &note->next;
  pthread_mutex_unlock(&c->lock);
}

/* What the host knew when it wrote the packet; false: it rang no doorbell for it, so a kernel may have written it. */
static bool take_note(struct og_command_queue *queue, uint64_t index, struct known *known) {
  while (queue->notes && queue->notes->end <= index)
    drop_note(queue);
  if (!queue->notes || queue->notes->first > index)
    return false;
  join(known, &queue->notes->known);
  return true;
}

struct og_command *og_commands_launch(struct og_commands *c, struct og_command_queue *queue, uint64_t index,
                                      uint16_t header) {
  enum { TYPE = 0xff, DISPATCH = 2, BARRIER = 1 << 8 };
  struct og_command *command = og_checked_realloc(NULL, sizeof *command);
  command->queue = queue, command->index = index, command->header = header;
  command->barrier = (header & TYPE) != DISPATCH;
  pthread_mutex_lock(&c->lock);
  known_begin(c, &command->before);
  command->unasked = !take_note(queue, index, &command->before);
  join(&command->before, &queue->launched);
  if (header & BARRIER)
    join(&command->before, &queue->ended);
  acquire(c, &command->before, queue->agent, acquires(header));
  join(&queue->launched, &command->before);
  pthread_mutex_unlock(&c->lock);
  return command;
}

/* ---- copies and packets ------------------------------------------------------------------------------------------ */

struct og_command *og_commands_copy(struct og_commands *c) {
  struct og_command *command = og_checked_realloc(NULL, sizeof *command);
  command->queue = NULL, command->index = 0, command->header = 0, command->barrier = command->unasked = false;
  pthread_mutex_lock(&c->lock);
  known_begin(c, &command->before);
  join(&command->before, &c->host);
  pthread_mutex_unlock(&c->lock);
  return command;
}

void og_commands_awaits(struct og_commands *c, struct og_command *command, const void *address) {
  pthread_mutex_lock(&c->lock);
  const struct signal *signal = *find_signal(c, address);
  if (command && signal)
    join(&command->before, &signal->known);
  pthread_mutex_unlock(&c->lock);
}

void og_commands_end(struct og_commands *c, struct og_command *command, struct og_footprint *footprint,
                     const void *completion) {
  if (!command) {
    og_footprint_free(footprint);
    return;
  }
  struct og_command_queue *queue = command->queue;
  struct og_commands_party party = {.agent = queue ? queue->agent : 0,
                                    .queue = queue ? queue->number : 0,
                                    .index = command->index,
                                    .is_packet = queue != NULL,
                                    .unasked = command->unasked};
  pthread_mutex_lock(&c->lock);
  if (footprint)
    og_commands_party_of_kernel(&c->options, footprint, &party);
  if (queue && command->barrier) /* the packets that it depends on ended only after its launch */
    acquire(c, &command->before, party.agent, acquires(command->header));
  finish(c, &command->before, &party, command->header, footprint);
  if (queue)
    join(&queue->ended, &command->before);
  if (queue && command->barrier)
    join(&queue->launched, &command->before);
  if (completion)
    join(signal_known(c, completion), &command->before);
  known_end(&command->before);
  pthread_mutex_unlock(&c->lock);
  free(command);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

struct og_commands *og_commands_new(const struct og_commands_options *options) {
  struct og_commands *c = og_checked_realloc(NULL, sizeof *c);
  memset(c, 0, sizeof *c);
  pthread_mutex_init(&c->lock, NULL);
  c->options = *options;
  known_begin(c, &c->host);
  return c;
}

void og_commands_free(struct og_commands *c) {
  if (!c)
    return;
  while (c->queues)
    og_commands_queue_end(c, c->queues);
  for (unsigned i = 0; i < BUCKETS; i++)
    while (c->signals[i])
      og_commands_forget(c, c->signals[i]->address);
  for (unsigned i = 0; i < COMMANDS; i++)
    og_footprint_free(c->remembered[i].footprint);
  pthread_mutex_destroy(&c->lock);
  free(c);
}
