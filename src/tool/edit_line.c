/* edit_line.c - libedit's readline, opened when it is first wanted; without libedit, plain lines. Its callbacks have no
 * context, so static variables hold what is being completed. */
#include "tool/edit_line.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef char **matcher(const char *word, int start, int end);

static struct {
  char *(*readline)(const char *prompt);
  int (*add_history)(const char *line);
  char **(*matches)(const char *word, char *(*next)(const char *word, int state));
  char **line; /* rl_line_buffer */
  og_completer *complete;
  void *context;
} editor;

static char *next_match(const char *word, int state) {
  static uint32_t index;
  (void)word;
  index = state ? index + 1 : 0;
  const char *found = editor.complete(editor.context, *editor.line ? *editor.line : "", index);
  return found ? strdup(found) : NULL;
}

static char **find_matches(const char *word, int start, int end) {
  (void)start, (void)end;
  return editor.matches(word, next_match);
}

/* Stores a symbol's address in a pointer of any type. */
static void find(void *library, const char *name, void *pointer) {
  void *found = dlsym(library, name);
  memcpy(pointer, &found, sizeof found);
}

void og_edit_start(const char *name, og_completer *complete, void *context) {
  void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL); /* stays open as long as the process lives */
  matcher **attempted = NULL;
  const char **program = NULL;
  editor.complete = complete;
  editor.context = context;
  if (!library)
    return;
  find(library, "add_history", &editor.add_history);
  find(library, "rl_completion_matches", &editor.matches);
  find(library, "rl_line_buffer", &editor.line);
  find(library, "rl_attempted_completion_function", &attempted);
  find(library, "rl_readline_name", &program);
  if (!editor.add_history || !editor.matches || !editor.line || !attempted || !program)
    return;
  find(library, "readline", &editor.readline);
  *attempted = find_matches;
  *program = name;
}

char *og_edit_line(const char *prompt) {
  char *line = NULL;
  size_t room = 0;
  if (editor.readline) {
    line = editor.readline(prompt);
    if (line && *line)
      editor.add_history(line);
    return line;
  }
  fputs(prompt, stdout);
  fflush(stdout);
  if (getline(&line, &room, stdin) > 0)
    return line;
  free(line);
  return NULL;
}
