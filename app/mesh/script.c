// SPDX-License-Identifier: MIT
// Searches scripts of gmsh. Every word of a script is checked, in strings and comments too, so that it does not matter where
// gmsh takes a comment or a string to end. Only lines that begin with // and hold neither a quote nor the end of a comment are
// omitted, and are empty in the copy: they are comments, or parts of one, for any reader.
//
// gmsh reads one line at a time. Where a loop, a function or a file begins or ends it goes on with the first line that it has
// not read yet, of the new place, after the rest of the present line. So what is judged together is on one line, and the last
// line has an end. A line that does not fit into its memory is read in pieces: lines with such jumps must fit.
#include "app/mesh/script.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carom/file.h"

enum {
    PATH_SIZE = 1024,
    FILES_MAX = 64,
    // gmsh reads at most 8192 bytes at once, and keeps 16384
    LINE_MAX_SIZE = 8000,
    SHORT_SCRIPT = 8000
};

typedef enum effect {
    HARMLESS,
    RUNS,    // runs a program
    WRITES,  // writes files
    HIDES,   // makes a command of a text
    READS,   // reads a file, whose name is next, in quotes
    MESSAGE, // prints a message, which > writes to a file
    JUMPS,   // goes on in another place
} effect;

static const struct {
    const char *word;
    effect effect;
} commands[] = {
    {"SystemCall", RUNS},      {"NonBlockingSystemCall", RUNS},
    {"System", RUNS},          {"OnelabRun", RUNS},
    {"ExternalProcess", RUNS}, {"CommandLine", RUNS},
    {"Solver", RUNS},          {"SendToServer", RUNS},
    {"Plugin", WRITES},        {"Save", WRITES},
    {"Print", WRITES},         {"CreateDir", WRITES},
    {"StringToName", HIDES},   {"S2N", HIDES},
    {"Include", READS},        {"Merge", READS},
    {"ShapeFromFile", READS},  {"MergeWithBoundingBox", READS},
    {"ListFromFile", READS},   {"Printf", MESSAGE},
    {"Error", MESSAGE},        {"Warning", MESSAGE},
    {"TmpFileName", WRITES},   {"For", JUMPS},
    {"EndFor", JUMPS},         {"Macro", JUMPS},
    {"Function", JUMPS},       {"Call", JUMPS},
    {"Return", JUMPS},
};

// The files that gmsh reads as what their ending says, and those that it may take for scripts. It runs others, such as .py.
static const char *const data_endings[] = {".step", ".STEP", ".stp", ".STP", ".iges", ".IGES", ".igs", ".IGS", ".brep", ".stl"};
static const char *const script_endings[] = {".geo", ".msh", ".pos", ".txt"};

// The file that is searched, with the script to which messages refer.
typedef struct script {
    const char *top;    // path of the script, whose folder holds all files
    const char *folder; // of the copies
    const char *name;   // of the file, relative to both
    const char *text, *end, *at;
    int line;
    int *files; // number of files so far
    carom_error *error;
} script;

static carom_status copy_file(const script *from, const char *name, const char *source, const char *target);

// The size of the folder in a path, with the slash.
static int folder_size(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash + 1 - path) : 0;
}

static carom_status refuse(const script *s, const char *word, const char *reason) {
    return carom_fail(s->error, CAROM_BAD_INPUT, "%.*s%s:%d: '%s' %s (--trust, if you trust the file)", folder_size(s->top),
                      s->top, s->name, s->line, word, reason);
}

static bool is_one_of(const char *text, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, list[i]) == 0)
            return true;
    return false;
}

static const char *ending_of(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && !strchr(dot, '/') ? dot : "";
}

static bool is_data(const char *name) {
    return is_one_of(ending_of(name), data_endings, sizeof data_endings / sizeof *data_endings);
}

// True if a name stays within the folder, and gmsh does not run the file. Whatever is included is a script.
static bool is_inside(const char *name, bool included) {
    bool parent = strncmp(name, "../", 3) == 0 || strstr(name, "/../");
    bool known =
        is_data(name) ? !included : is_one_of(ending_of(name), script_endings, sizeof script_endings / sizeof *script_endings);
    return *name && *name != '/' && *name != '~' && !parent && !strpbrk(name, ":\\\n\r") && known;
}

static bool ends_line(char c) {
    return c == '\n' || c == '\r';
}

static const char *line_end(const script *s, const char *at) {
    while (at < s->end && !ends_line(*at))
        at++;
    return at;
}

// True if gmsh may read the line of a jump in pieces, the last of which could begin within a word: because of its length, or
// because a long comment or a long part that is not run ends on it and is still in memory.
static bool may_be_cut(const script *s, const char *word) {
    static const char *const ends[] = {"*/", "End", "Else", "Return"};
    const char *first = word;
    while (first > s->text && !ends_line(first[-1]) && word - first < LINE_MAX_SIZE)
        first--;
    if (line_end(s, word) - first > LINE_MAX_SIZE)
        return true;
    for (; first < word && s->end - s->text > SHORT_SCRIPT; first++)
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            if (word - first >= (ptrdiff_t)strlen(ends[i]) && memcmp(first, ends[i], strlen(ends[i])) == 0)
                return true;
    return false;
}

// Blanks within a line.
static const char *skip_blanks(const script *s, const char *at) {
    while (at < s->end && isspace((unsigned char)*at) && !ends_line(*at))
        at++;
    return at;
}

// Copies the file whose name is next, in quotes.
static carom_status copy_named(const script *s, const char *word, const char *at) {
    char name[PATH_SIZE], source[PATH_SIZE], target[PATH_SIZE];
    at = skip_blanks(s, at);
    if (at < s->end && (*at == '(' || *at == '['))
        at = skip_blanks(s, at + 1);
    const char *first = at + 1,
               *last = at < s->end && (*at == '"' || *at == '\'') ? memchr(first, *at, (size_t)(s->end - first)) : NULL;
    if (!last || last - first >= PATH_SIZE / 4)
        return refuse(s, word, "needs the name of a file in quotes");
    snprintf(name, sizeof name, "%.*s", (int)(last - first), first);
    if (!is_inside(name, strcmp(word, "Include") == 0))
        return refuse(s, word,
                      "names a file that is not in the folder of the script or below it, or of a kind that gmsh may run");
    // relative to the file that names it
    char relative[PATH_SIZE];
    bool fits = snprintf(relative, sizeof relative, "%.*s%s", folder_size(s->name), s->name, name) < PATH_SIZE;
    fits = fits && snprintf(source, sizeof source, "%.*s%s", folder_size(s->top), s->top, relative) < PATH_SIZE;
    fits = fits && snprintf(target, sizeof target, "%s/%s", s->folder, relative) < PATH_SIZE;
    if (!fits)
        return refuse(s, word, "names a file whose path is too long");
    return access(target, F_OK) == 0 ? CAROM_OK : copy_file(s, relative, source, target);
}

// True if a message may be written to a file: unless the statement ends on its line, behind its closing bracket. gmsh
// cuts longer texts.
static bool may_be_written(const script *s, const char *at) {
    enum { TEXT_MAX = 1000 };
    const char *end = line_end(s, at);
    int depth = 0;
    at = skip_blanks(s, at);
    // without a bracket it is no command, but a comment or another line may precede the bracket
    if (at == end || (*at != '(' && *at != '['))
        return at == end || *at == '/';
    for (; at < end; at++) {
        if (*at == '"' || *at == '\'') {
            const char *last = memchr(at + 1, *at, (size_t)(end - at - 1));
            if (!last || last - at > TEXT_MAX)
                return true;
            at = last;
        }
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (depth == 0) {
            at = skip_blanks(s, at + 1);
            return at == end || *at != ';';
        }
        // comments may hold brackets
        if (*at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '*'))
            return true;
    }
    return true;
}

static carom_status judge_word(const script *s, const char *begin, const char *end) {
    char word[32];
    effect found = HARMLESS;
    if (end - begin >= (ptrdiff_t)sizeof word)
        return CAROM_OK;
    snprintf(word, sizeof word, "%.*s", (int)(end - begin), begin);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(word, commands[i].word) == 0)
            found = commands[i].effect;
    if ((found == JUMPS || found == READS) && may_be_cut(s, begin))
        return refuse(s, word, "must be on a line of at most 8000 bytes, in front of all ends of comments and blocks");
    switch (found) {
    case RUNS: return refuse(s, word, "can run programs");
    case WRITES: return refuse(s, word, "can write files");
    case HIDES: return refuse(s, word, "makes a command of a text");
    case READS: return copy_named(s, word, end);
    case MESSAGE: return may_be_written(s, end) ? refuse(s, word, "may write a file") : CAROM_OK;
    default: return CAROM_OK;
    }
}

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// Blanks the lines that are comments for any reader. Within a text that gmsh cuts, they would be none.
static void hide_comments(char *text, const char *end) {
    for (char *next; text < end; text = next) {
        char *line_end = memchr(text, '\n', (size_t)(end - text));
        next = line_end ? line_end + 1 : text + (end - text);
        while (text < next && (*text == ' ' || *text == '\t'))
            text++;
        bool is_comment = next - text > 1 && text[0] == '/' && text[1] == '/';
        for (const char *c = text; c < next && is_comment; c++)
            is_comment = !(*c == '"' || *c == '\'' || *c == '\r' || (*c == '*' && c + 1 < next && c[1] == '/'));
        if (is_comment)
            memset(text, ' ', (size_t)((line_end ? line_end : next) - text));
    }
}

static carom_status search(script *s) {
    carom_status status = CAROM_OK;
    // a zero ends comments and strings of gmsh
    if (memchr(s->text, 0, (size_t)(s->end - s->text)))
        return refuse(s, "\\0", "is no character of a text");
    s->at = s->text;
    while (s->at < s->end && !status) {
        const char *begin = s->at;
        s->at++;
        s->line += *begin == '\n';
        if (!is_of_word(*begin))
            continue;
        while (s->at < s->end && is_of_word(*s->at))
            s->at++;
        status = judge_word(s, begin, s->at);
    }
    return status;
}

// Makes the folders of a path below `folder`.
static void make_folders(char *target, size_t from) {
    for (char *slash = strchr(target + from, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(target, 0700);
        *slash = '/';
    }
}

// Copies what was searched, so that the file cannot change in between.
static carom_status copy_file(const script *from, const char *name, const char *source, const char *target) {
    unsigned char *bytes;
    size_t size;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s", target);
    if (++*from->files > FILES_MAX)
        return refuse(from, name, "is one file too many");
    carom_status status = carom_read_bytes(source, &bytes, &size, from->error);
    if (status)
        return status;
    bool is_script = !is_data(name);
    if (is_script)
        hide_comments((char *)bytes, (char *)bytes + size);
    make_folders(path, strlen(from->folder) + 1);
    FILE *file = fopen(target, "wb");
    bool done = file && fwrite(bytes, 1, size, file) == size;
    if (is_script && size && bytes[size - 1] != '\n')
        done = done && fputc('\n', file) != EOF;
    done = file && fclose(file) == 0 && done;
    if (!done)
        status = carom_fail(from->error, CAROM_IO, "cannot write %s: %s", target, strerror(errno));
    script own = *from;
    own.name = name;
    own.text = (const char *)bytes;
    own.end = own.text + size;
    own.line = 1;
    if (!status && is_script)
        status = search(&own);
    carom_free(bytes);
    return status;
}

carom_status carom_script_copy(const char *path, const char *folder, const char *name, carom_error *error) {
    int files = 0;
    char target[PATH_SIZE];
    const char *own = path + folder_size(path);
    const script top = {.top = path, .folder = folder, .name = own, .line = 1, .files = &files, .error = error};
    snprintf(target, sizeof target, "%s/%s", folder, name);
    return copy_file(&top, own, path, target);
}
