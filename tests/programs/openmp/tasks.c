// Target tasks that run beside each other in the order of their dependences, and teams whose threads come and go:
// parallel regions inside of serial code, arrays that a team shares, barriers, atomics, reductions of maximum.
#include <stdio.h>

enum { TASKS = 8, N = 2048, ROUNDS = 5, TEAMS = 4, WIDTH = 64 };

static int cells[TASKS][N];

static void chains(void) {
#pragma omp target enter data map(to : cells)
  for (int round = 0; round < ROUNDS; round++)
    for (int task = 0; task < TASKS; task++) {
#pragma omp target teams distribute parallel for nowait depend(inout : cells[task])
      for (int i = 0; i < N; i++)
        cells[task][i] = cells[task][i] * 3 + i + task;
    }
#pragma omp taskwait
#pragma omp target exit data map(from : cells)
  unsigned sum = 0;
  for (int task = 0; task < TASKS; task++)
    for (int i = 0; i < N; i++)
      sum = sum * 31 + (unsigned)cells[task][i];
  printf("chains %u\n", sum);
}

static void teams(void) {
  int sums[TEAMS], most = 0, hits = 0;
#pragma omp target teams distribute num_teams(TEAMS) thread_limit(WIDTH) map(from : sums)
  for (int team = 0; team < TEAMS; team++) {
    int shared[WIDTH], sum = 0;
#pragma omp parallel for
    for (int i = 0; i < WIDTH; i++)
      shared[i] = i * team;
    for (int i = 0; i < WIDTH; i++)
      sum += shared[i];
#pragma omp parallel for
    for (int i = 0; i < WIDTH; i++)
      shared[i] += sum;
    sums[team] = shared[0] + shared[WIDTH - 1];
  }
#pragma omp target teams distribute parallel for reduction(max : most) map(tofrom : hits)
  for (int i = 0; i < N; i++) {
    int value = i * 7919 % N;
    most = value > most ? value : most;
    if (value % 3 == 0) {
#pragma omp atomic update
      hits++;
    }
  }
  for (int team = 0; team < TEAMS; team++)
    printf("team %d: %d\n", team, sums[team]);
  printf("most %d, hits %d\n", most, hits);
}

int main(void) {
  chains();
  teams();
  return 0;
}
