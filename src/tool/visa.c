/* visa.c - `offgrid as`, `dis`, `lint` and `info` when the file is vISA. */
#include "tool/visa.h"
#include "tool/assemble.h"
#include "tool/tool.h"
#include "visa/visa.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct arguments {
  const char *input, *output, *processor;
  bool json, show_encoding;
};

static bool takes_value(const char *arg) {
  static const char *const options[] = {"-o",      "-mcpu", "--mcpu", "-mattr",
                                        "-triple", "-I",    "-D",     "-mcode-object-version"};
  for (size_t i = 0; i < OG_COUNT(options); i++)
    if (strcmp(arg, options[i]) == 0)
      return true;
  return false;
}

static const char *first_file(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (argv[i][0] != '-' || !argv[i][1])
      return argv[i];
    else if (takes_value(argv[i]))
      i++;
  return NULL;
}

static bool has_ending(const char *name, const char *ending) {
  size_t size = strlen(name), tail = strlen(ending);
  return size > tail && strcmp(name + size - tail, ending) == 0;
}

/* A pipe can be read only once, so its bytes are moved to a file without a name, which replaces it. */
static bool make_seekable(int fd) {
  char bytes[65536];
  if (lseek(fd, 0, SEEK_CUR) >= 0)
    return true;
  FILE *copy = tmpfile();
  ssize_t got = -1;
  size_t all = 0;
  while (copy && all <= OG_STREAM_MOST &&
         ((got = read(fd, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))) {
    all += (size_t)OG_MAX(got, (ssize_t)0);
    if (got > 0 && fwrite(bytes, 1, (size_t)got, copy) != (size_t)got)
      break;
  }
  if (got > 0 && all > OG_STREAM_MOST) /* makes the reader refuse it: gives the file a size that no file may have */
    got = fflush(copy) == 0 ? ftruncate(fileno(copy), (off_t)OG_FILE_MOST + 1) : -1;
  bool moved =
      copy && got == 0 && fflush(copy) == 0 && lseek(fileno(copy), 0, SEEK_SET) == 0 && dup2(fileno(copy), fd) == fd;
  if (copy)
    fclose(copy);
  return moved;
}

/* Reads up to `room` bytes of its beginning; returns how many, 0 if it cannot be read twice. */
static size_t read_start(const char *name, char *start, size_t room) {
  struct stat status;
  bool standard = strcmp(name, "-") == 0;
  if (!standard && (stat(name, &status) != 0 || !S_ISREG(status.st_mode)))
    return 0;
  int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
  ssize_t size = fd >= 0 && make_seekable(fd) ? pread(fd, start, room, lseek(fd, 0, SEEK_CUR)) : 0;
  if (fd >= 0 && !standard)
    close(fd);
  return (size_t)OG_MAX(size, (ssize_t)0);
}

bool og_visa_takes(int argc, char **argv) {
  static const char *const verbs[] = {"as", "dis", "lint", "info"};
  bool ours = false;
  for (size_t i = 0; i < OG_COUNT(verbs); i++)
    ours |= strcmp(argv[0], verbs[i]) == 0;
  const char *name = ours ? first_file(argc, argv) : NULL;
  if (!name)
    return false;
  char start[16384];
  size_t size = read_start(name, start, sizeof start);
  if (og_visa_is_binary(start, size) || og_visa_is_text(start, size))
    return true;
  bool other = size >= 4 && memcmp(start, "\177ELF", 4) == 0;
  return !other && (has_ending(name, ".visaasm") || has_ending(name, ".isa"));
}

static int parse(int argc, char **argv, struct arguments *a) {
  const char *verb = argv[0];
  for (int i = 1; i < argc; i++) {
    if (og_option_value(argc, argv, &i, "mcpu", &a->processor) || og_option_value(argc, argv, &i, "o", &a->output))
      continue;
    if (strcmp(verb, "as") == 0 && og_option_flag(argv, i, "show-encoding"))
      a->show_encoding = true;
    else if ((strcmp(verb, "info") == 0 || strcmp(verb, "lint") == 0) && og_option_flag(argv, i, "json"))
      a->json = true;
    else if (strcmp(verb, "info") == 0 && og_option_flag(argv, i, "kernels"))
      continue;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_usage_error(verb, "unknown option '%s' for a vISA file", argv[i]);
    else if (a->input)
      return og_usage_error(verb, "one vISA file at a time: '%s' is a second one", argv[i]);
    else
      a->input = argv[i];
  }
  return OG_EXIT_OK;
}

struct session {
  struct og_arena *arena;
  struct og_buffer bytes;
  struct og_source source;
  int platform;
  struct og_diagnostics *diagnostics;
};

static struct og_visa *read_visa(struct session *s, const char *name, int platform,
                                 struct og_diagnostics *diagnostics) {
  if (og_visa_is_binary(s->bytes.data, s->bytes.size))
    return og_visa_read_binary(s->arena, s->bytes.data, s->bytes.size, name, diagnostics);
  s->source = (struct og_source){
      .name = strcmp(name, "-") ? name : "<stdin>", .text = (const char *)s->bytes.data, .size = s->bytes.size};
  return og_visa_read_text(s->arena, &s->source, platform, diagnostics);
}

/* Reads it for the platform that was named; else for the newest platform that accepts it. If none does, reports the
 * errors of the platform with the fewest. */
static struct og_visa *read_verified(struct session *s, const char *name) {
  struct og_diagnostics *fewest = NULL;
  struct og_visa *visa = NULL;
  int first = s->platform < 0 ? OG_VISA_PLATFORM_COUNT - 1 : s->platform, last = s->platform < 0 ? 0 : s->platform;
  for (int platform = first; platform >= last && !visa; platform--) {
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    visa = read_visa(s, name, platform, diagnostics);
    if (visa && !og_visa_verify(visa, platform, name, diagnostics))
      visa = NULL;
    bool better = !fewest || visa || og_diagnostics_errors(diagnostics) < og_diagnostics_errors(fewest);
    og_diagnostics_free(better ? fewest : diagnostics);
    fewest = better ? diagnostics : fewest;
    s->platform = visa ? platform : s->platform;
  }
  og_diagnostics_free(s->diagnostics);
  s->diagnostics = fewest;
  return visa;
}

static void assemble(struct session *s, const struct arguments *a) {
  struct og_buffer out = {0};
  struct og_visa *visa = read_verified(s, a->input);
  if (visa && a->show_encoding) {
    og_visa_write_encodings(visa, &out);
    og_write_file(a->output ? a->output : "-", out.data, out.size, s->diagnostics);
  } else if (visa && og_visa_write_binary(visa, &out, s->diagnostics)) {
    og_write_file(a->output ? a->output : og_output_name(a->input, ".isa"), out.data, out.size, s->diagnostics);
  }
  og_buffer_free(&out);
}

static void print(struct session *s, const struct arguments *a, bool info) {
  struct og_buffer out = {0};
  struct og_visa *visa = read_visa(s, a->input, s->platform < 0 ? OG_VISA_PVC : s->platform, s->diagnostics);
  if (visa && info)
    og_visa_info(visa, s->platform, a->json, &out);
  else if (visa)
    og_visa_write_text(visa, &out);
  if (visa)
    og_write_file(a->output ? a->output : "-", out.data, out.size, s->diagnostics);
  og_buffer_free(&out);
}

static void run(struct session *s, const struct arguments *a, const char *verb) {
  if (!og_read_file(a->input, &s->bytes, s->diagnostics))
    return;
  if (strcmp(verb, "as") == 0)
    assemble(s, a);
  else if (strcmp(verb, "lint") == 0)
    read_verified(s, a->input);
  else
    print(s, a, strcmp(verb, "info") == 0);
}

int og_visa_verb(int argc, char **argv) {
  struct arguments a = {0};
  int code = parse(argc, argv, &a);
  if (code != OG_EXIT_OK)
    return code;
  struct session s = {.platform = -1};
  if (a.processor && (s.platform = og_visa_find_platform(og_text(a.processor))) < 0)
    return og_usage_error(argv[0], "'%s' is no vISA platform: skl, tgllp, dg2 and pvc are", a.processor);
  s.arena = og_arena_new();
  s.diagnostics = og_diagnostics_new();
  run(&s, &a, argv[0]);
  if (a.json && strcmp(argv[0], "lint") == 0)
    og_print_findings(s.diagnostics);
  code = og_finish(s.diagnostics);
  og_buffer_free(&s.bytes);
  og_arena_free(s.arena);
  return code;
}
