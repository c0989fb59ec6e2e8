/* team.h - host threads that wait for work beside one that has some. Internal to src/exec. */
#ifndef OG_TEAM_H
#define OG_TEAM_H

struct og_team;

struct og_team *og_team_new(void); /* NULL: memory is short */
void og_team_free(struct og_team *team);
/* Calls work(context, 0) by this thread and, as threads of the team come to it meanwhile, work(context, 1) up to
 * `threads` - 1 by them; back when all calls are. One caller at a time. */
void og_team_run(struct og_team *team, unsigned threads, void (*work)(void *context, unsigned number), void *context);

#endif
