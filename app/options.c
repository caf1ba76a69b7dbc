// SPDX-License-Identifier: MIT
// The table of commands and options, the parser of the command line, and the help texts.
#include "app/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/message.h"
#include "carom/status.h"
#include "carom/text.h"

// The words that operands may take; completion offers them.
static const char *const manuals[] = {"scene", "man", "words", NULL};
static const char *const devices[] = {"cpu", "gpu", "auto", NULL};
static const char *const partitions[] = {"bisection", "scotch", NULL};
static const char *const shells[] = {"bash", "zsh", "fish", NULL};
static const char *const command_names[] = {"run",  "check",  "report", "view",   "compare", "sweep",  "plot",       "picture",
                                            "mesh", "import", "info",   "verify", "schema",  "manual", "completion", NULL};

// Options of every command. They are searched after its own options, which may therefore replace them.
const carom_option carom_global_options[] = {
    {"help", 'h', NULL, CAROM_WORD_NONE, "show this help"},
    {"version", 0, NULL, CAROM_WORD_NONE, "show the version"},
    {0},
};

// The table of commands, in the order of the help.
static const carom_command commands[] = {
    {
        .name = "run",
        .operands = "SCENE.yaml",
        .operands_min = 1,
        .operands_max = 1,
        .word = CAROM_WORD_SCENE,
        .summary = "run a scene",
        .doc =
            "Runs a scene to its end, shows its progress, and prints the ledger: where every joule and every unit of momentum "
            "went. Results go to a directory: history.csv, probes.csv, fields.pvd (for ParaView), summary.json. Ctrl-C writes "
            "a checkpoint and --resume goes on from it with the same bits.",
        .options =
            {
                {"output", 'o', "DIR", CAROM_WORD_DIRECTORY, "write the results there instead of the scene's output.directory"},
                {"threads", 0, "N", CAROM_WORD_TEXT,
                 "use at most N threads (0: all of the machine); results do not depend on it"},
                {"ranks", 0, "N", CAROM_WORD_TEXT,
                 "use N processes, started by mpirun; results do not depend on it (needs carom-mpi)"},
                {"partition", 0, "bisection|scotch", CAROM_WORD_CHOICE,
                 "how the nodes of the model are distributed to processes; results do not depend on it", partitions},
                {"device", 0, "cpu|gpu|auto", CAROM_WORD_CHOICE,
                 "what computes forces and moves the nodes inside bodies: the processor (cpu, the default), a GPU (gpu), or a "
                 "GPU if that is possible (auto); results do not depend on it",
                 devices},
                {"set", 0, "KEY.PATH=VALUE", CAROM_WORD_TEXT, "set a value of the scene, such as time.step=0.01 (repeatable)"},
                {"resume", 0, NULL, CAROM_WORD_NONE, "go on from the checkpoint in the output directory"},
                {"quiet", 'q', NULL, CAROM_WORD_NONE, "print nothing but errors"},
                {"dump", 0, NULL, CAROM_WORD_NONE, "print the scene with every default filled in, and do not run"},
                {"no-output", 0, NULL, CAROM_WORD_NONE, "write no files"},
                {"report", 0, NULL, CAROM_WORD_NONE, "write the report page as well, DIR/report.html"},
                {"profile", 0, NULL, CAROM_WORD_NONE, "show where the time went, by phases, and how busy the threads were"},
            },
        .run = carom_command_run,
    },
    {
        .name = "check",
        .operands = "SCENE.yaml...",
        .operands_min = 1,
        .operands_max = -1,
        .word = CAROM_WORD_SCENE,
        .summary = "check scenes without running them",
        .doc = "Reads scenes and reports every error as file:line:column: error: path: message. For a valid scene it prints "
               "mass, box, mass centre, inertia and wave speeds of each body, the step and what limits it, the size of the "
               "output, memory and an estimate of the time. A note is printed for numbers that suggest mixed units.",
        .options = {{"set", 0, "KEY.PATH=VALUE", CAROM_WORD_TEXT, "set a value of the scene first (repeatable)"}},
        .run = carom_command_check,
    },
    {
        .name = "report",
        .operands = "DIR",
        .operands_min = 1,
        .operands_max = 1,
        .word = CAROM_WORD_DIRECTORY,
        .summary = "write a page that shows a result",
        .doc =
            "Writes one file for a browser, DIR/report.html: the bodies in motion, coloured by their fields, with the curves "
            "of the ledger on the same clock, the summary and the scene. It needs nothing else, neither carom nor a network. "
            "The result of an interrupted run can be shown too. The template of the page is the file named by CAROM_VIEWER, "
            "the one installed with the command, or that of the build folder.",
        .options =
            {
                {"output", 'o', "FILE", CAROM_WORD_FILE, "write the page there"},
                {"max-size", 0, "MB", CAROM_WORD_TEXT, "omit frames of a page that would be larger (default 50)"},
            },
        .run = carom_command_report,
    },
    {
        .name = "view",
        .operands = "DIR",
        .operands_min = 1,
        .operands_max = 1,
        .word = CAROM_WORD_DIRECTORY,
        .summary = "show a result in a browser",
        .doc = "Writes the page of carom report and opens it: with the program that BROWSER names, else with xdg-open. Where "
               "there is no display it prints the address of the page.",
        .options =
            {
                {"output", 'o', "FILE", CAROM_WORD_FILE, "write the page there"},
                {"max-size", 0, "MB", CAROM_WORD_TEXT, "omit frames of a page that would be larger (default 50)"},
            },
        .run = carom_command_view,
    },
    {
        .name = "compare",
        .operands = "SCENE.yaml",
        .operands_min = 1,
        .operands_max = 1,
        .word = CAROM_WORD_SCENE,
        .summary = "run a scene by several methods, side by side",
        .doc =
            "Runs a scene by each of several integrators and prints cost, balance errors, energies and release times side by "
            "side. A variant of a method sets values after colons: newmark-dcr:step=0.01, "
            "multisymplectic:contact-integrator=2, newmark-dcr:contact.resolve=exact; step stands for time.step, other names "
            "are parameters of the method, names with a dot are keys of the scene. A method that cannot run the scene is "
            "listed with its reason. DIR gets a folder for each result, compare.json and the page compare.html. The gates of "
            "the scene are not judged.",
        .options =
            {
                {"integrators", 0, "A,B,...", CAROM_WORD_TEXT, "methods and their variants (default: all methods)"},
                {"output", 'o', "DIR", CAROM_WORD_DIRECTORY,
                 "write the results there (default: output.directory with -compare)"},
                {"threads", 0, "N", CAROM_WORD_TEXT, "use at most N threads (0: all of the machine)"},
                {"set", 0, "KEY.PATH=VALUE", CAROM_WORD_TEXT, "set a value of the scene, for all methods (repeatable)"},
                {"max-size", 0, "MB", CAROM_WORD_TEXT, "omit frames of a page that would be larger (default 50)"},
                {"quiet", 'q', NULL, CAROM_WORD_NONE, "print nothing but errors"},
            },
        .run = carom_command_compare,
    },
    {
        .name = "sweep",
        .operands = "SCENE.yaml",
        .operands_min = 1,
        .operands_max = 1,
        .word = CAROM_WORD_SCENE,
        .summary = "run a scene for many values of its parameters",
        .doc =
            "Runs a scene at all combinations of the values that --vary lists, each run in a folder of its own below DIR/runs. "
            "VALUES are separated by commas; FROM:TO:COUNT are equally spaced numbers, FROM:TO:COUNT:log have equal factors. "
            "With --random N, N points of a Latin hypercube take the place of the combinations, and VALUES may be FROM:TO or "
            "FROM:TO:log. DIR gets sweep.csv, a row for each run with its status and all results of its summary and probes, "
            "and the page sweep.html with curves and a scatter plot. Ctrl-C interrupts all runs with their checkpoints. The "
            "same command again goes on with what is not complete, and other values are added to those that are there. A run "
            "that fails is a row of the table; the exit code is 130 after an interruption, else 3 if a computation failed, 2 "
            "if a run was refused, 1 if a gate failed.",
        .options =
            {
                {"vary", 0, "KEY=VALUES", CAROM_WORD_TEXT,
                 "values of a key of the scene, such as contact.friction=0,0.1,0.3 (repeatable)"},
                {"list", 0, "FILE.csv", CAROM_WORD_FILE, "a table of points: its head are keys, each row is a point"},
                {"random", 0, "N", CAROM_WORD_TEXT, "N random points instead of all combinations"},
                {"seed", 0, "S", CAROM_WORD_TEXT, "seed of the random points (default 1): the same seed gives the same points"},
                {"jobs", 'j', "N", CAROM_WORD_TEXT, "runs at a time (default: as many as there are processors)"},
                {"threads", 0, "N", CAROM_WORD_TEXT, "threads of each run (default: the processors divided by the jobs)"},
                {"output", 'o', "DIR", CAROM_WORD_DIRECTORY, "write the results there (default: output.directory with -sweep)"},
                {"set", 0, "KEY.PATH=VALUE", CAROM_WORD_TEXT, "set a value of the scene, for all runs (repeatable)"},
                {"fields", 0, NULL, CAROM_WORD_NONE, "write frames of the animation as the scene says (default: none)"},
                {"resume", 0, NULL, CAROM_WORD_NONE,
                 "go on with the sweep in DIR, which must be there; without --vary and --list with its points"},
                {"quiet", 'q', NULL, CAROM_WORD_NONE, "print nothing but errors"},
            },
        .run = carom_command_sweep,
    },
    {
        .name = "plot",
        .operands = "DIR...",
        .operands_min = 1,
        .operands_max = -1,
        .word = CAROM_WORD_DIRECTORY,
        .summary = "draw the history of results as a figure",
        .doc = "Draws columns of history.csv over time as an SVG figure for a paper: the energies, below them the losses, the "
               "residual on a logarithmic axis, the contact forces, and the largest stresses of bodies. The results of several "
               "directories are drawn over each other.",
        .options =
            {
                {"output", 'o', "FILE.svg", CAROM_WORD_FILE,
                 "write the figure there (default: energy.svg in the first DIR, columns.svg with --columns)"},
                {"columns", 0, "A,B,...", CAROM_WORD_TEXT,
                 "draw these columns of history.csv, probes.csv or pairs.csv (part-floor.normal) instead"},
                {"width", 0, "MM", CAROM_WORD_TEXT, "width of the figure: 90 (a column, the default) to 400 millimetres"},
            },
        .run = carom_command_plot,
    },
    {
        .name = "picture",
        .operands = "DIR",
        .operands_min = 1,
        .operands_max = 1,
        .word = CAROM_WORD_DIRECTORY,
        .summary = "draw a result as a picture, still or moving",
        .doc =
            "Draws the bodies in one frame, coloured by a field, on their planes, with a title and a colour bar, as a PNG "
            "file. No browser is needed. Prints the largest value at the nodes that can be seen, where a ring marks it. If a "
            "few nodes are far above the others the colours end below the largest value, and the legend says so. With "
            "--animate it draws frames from the first to the last as an animated PNG, which browsers and code hosts show: "
            "next to the bodies are the energies of the ledger at the time of the frame. Camera and colours are the same in "
            "all frames.",
        .options =
            {
                {"output", 'o', "FILE.png", CAROM_WORD_FILE, "write the picture there (default: picture.png in DIR)"},
                {"at", 0, "peak|start|end|TIME", CAROM_WORD_TEXT,
                 "the frame: in which the field is largest (the default), first, last, or nearest to a time"},
                {"field", 0, "NAME", CAROM_WORD_TEXT, "the field (default: von_mises, or the first of the elements)"},
                {"view", 0, "iso|x|y|z|A,E", CAROM_WORD_TEXT,
                 "from where: obliquely, along an axis, or azimuth and elevation in degrees, such as --view=-60,20"},
                {"range", 0, "LOW:HIGH", CAROM_WORD_TEXT, "values at the ends of the colours (default: those of the frames)"},
                {"size", 0, "WxH", CAROM_WORD_TEXT, "size in pixels (default 1600x1000; 1200x675 with --animate)"},
                {"edges", 0, NULL, CAROM_WORD_NONE, "draw the edges of the elements"},
                {"animate", 0, "FILE.png", CAROM_WORD_FILE, "write a moving picture there instead"},
                {"frames", 0, "N", CAROM_WORD_TEXT,
                 "number of its frames, evenly spread over those of the result (default 60, or all)"},
                {"seconds", 0, "T", CAROM_WORD_TEXT, "duration in seconds from its first frame to its last (default 5)"},
                {"max-size", 0, "MB", CAROM_WORD_TEXT,
                 "limit of its size (default 4): fewer colours are used to keep it; what is still larger is refused"},
            },
        .run = carom_command_picture,
    },
    {
        .name = "info",
        .operands = "[NAME|WORD|DIR]",
        .operands_max = 1,
        .word = CAROM_WORD_KIND,
        .summary = "explain a method, an element, a material, a mesh, or a result",
        .doc =
            "Without an argument lists all integrators, elements, materials and meshes; with a name shows its parameters, and "
            "for an integrator the paper and what it promises; with a word of Abaqus, LS-DYNA, Radioss or MuJoCo, such "
            "as ALLKE or \"energy ratio\", prints what carom calls it and where it is found; with a result directory shows its "
            "summary and ledger, with a directory of results lists them.",
        .run = carom_command_info,
    },
    {
        .name = "mesh",
        .operands = "FILE|GENERATOR",
        .operands_min = 1,
        .operands_max = 1,
        .word = CAROM_WORD_FILE,
        .summary = "show the facts of a mesh, mend it, convert it",
        .doc =
            "Reads a mesh from a file (Gmsh, Abaqus, MEDIT, I-DEAS, STL, OBJ, PLY, VTU, VTK; STEP, IGES, BREP, .geo and .med "
            "through the program gmsh), "
            "or makes one as a scene would: carom mesh 'sphere: {radius: 1, faces: 2048}'. Shows counts, sets, size, quality "
            "and faults; a mesh with faults gives exit code 2.",
        .options =
            {
                {"output", 'o', "FILE", CAROM_WORD_FILE, "write the mesh as .vtu or .msh (Gmsh 4.1)"},
                {"set", 0, "KEY=VALUE", CAROM_WORD_TEXT, "set a parameter of the generator, such as faces=512 (repeatable)"},
                {"group", 0, "NAME", CAROM_WORD_TEXT, "take only the cells of this group of the file"},
                {"fix", 0, NULL, CAROM_WORD_NONE, "mend faults that can be mended"},
                {"renumber", 0, NULL, CAROM_WORD_NONE, "order nodes and cells along a space-filling curve"},
                {"size", 0, "S", CAROM_WORD_TEXT, "largest size of the cells made of a CAD file"},
                {"trust", 0, NULL, CAROM_WORD_NONE,
                 "let gmsh read all its options and run all commands of a .geo file: only for files that you trust"},
            },
        .run = carom_command_mesh,
    },
    {
        .name = "import",
        .operands = "DECK.inp",
        .operands_min = 1,
        .operands_max = 1,
        .word = CAROM_WORD_FILE,
        .summary = "make a scene of an Abaqus or CalculiX deck",
        .doc =
            "Writes a scene with the bodies, materials, restraints, loads, velocities and contact of a deck, which stays the "
            "file of its meshes. Whatever is not taken over is named with its line, in notes and at the end of the scene. "
            "Without -o the scene goes to standard output. A file that exists is not overwritten.",
        .options = {{"output", 'o', "SCENE.yaml", CAROM_WORD_FILE, "write the scene there"}},
        .run = carom_command_import,
    },
    {
        .name = "verify",
        .operands = "[NAME...]",
        .operands_max = -1,
        .word = CAROM_WORD_FILE,
        .summary = "run the scenes that come with expectations",
        .doc =
            "Runs the scenes of the papers and the other verification scenes without output and prints how each fares at the "
            "gates of its expect: block: the condition, the exact or published value where there is one, the result and its "
            "error. A NAME is part of a path, such as dcr or two_bars, or the path of a scene or of a folder of scenes. With "
            "--markdown, the verification manual goes to standard output and the table to standard error.",
        .options =
            {
                {"markdown", 0, NULL, CAROM_WORD_NONE, "write the verification manual, in Markdown"},
                {"plan", 0, NULL, CAROM_WORD_NONE, "list the gates and run nothing"},
                {"all", 0, NULL, CAROM_WORD_NONE, "also the other scenes that have an expect: block"},
                {"scenes", 0, "DIR", CAROM_WORD_DIRECTORY, "where the scenes are (default: ./scenes, else the installed ones)"},
                {"threads", 0, "N", CAROM_WORD_TEXT, "use at most N threads (0: all of the machine)"},
            },
        .run = carom_command_verify,
    },
    {
        .name = "schema",
        .operands = "",
        .summary = "print the JSON Schema of scene files",
        .doc = "Prints a JSON Schema (draft 2020-12) that editors can use to complete and check scenes.",
        .run = carom_command_schema,
    },
    {
        .name = "manual",
        .operands = "scene|man|words",
        .operands_min = 1,
        .operands_max = 1,
        .word = CAROM_WORD_CHOICE,
        .choices = manuals,
        .summary = "print the reference of scene files, the man page, or words of other programs",
        .doc = "scene: all keys of a scene as Markdown. man: the man page of this command in roff. "
               "words: what carom calls the words of other programs, as Markdown.",
        .run = carom_command_manual,
    },
    {
        .name = "completion",
        .operands = "bash|zsh|fish",
        .operands_min = 1,
        .operands_max = 1,
        .word = CAROM_WORD_CHOICE,
        .choices = shells,
        .summary = "print the completion script of a shell",
        .doc = "For example: source <(carom completion bash)",
        .run = carom_command_completion,
    },
    {
        .name = "help",
        .operands = "[COMMAND]",
        .operands_max = 1,
        .word = CAROM_WORD_CHOICE,
        .choices = command_names,
        .summary = "explain a command",
        .doc = "The same as carom COMMAND --help; without a COMMAND the list of all.",
        .run = carom_command_help,
    },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

const carom_command *carom_commands(int *count) {
    *count = COMMANDS;
    return commands;
}

// An unknown command is reported with the nearest name as a suggestion.
const carom_command *carom_command_find(const char *name) {
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
        names[i] = commands[i].name;
    }
    const char *what = name[0] == '-' ? "option" : "command";
    const char *nearest = carom_text_nearest(name, names, COMMANDS);
    if (nearest)
        carom_say_error("unknown %s '%s' (did you mean '%s'?)", what, name, nearest);
    else
        carom_say_error("unknown %s '%s' (see carom --help)", what, name);
    return NULL;
}

int carom_command_help(const carom_arguments *arguments) {
    if (arguments->operand_count == 0) {
        carom_overview_print(stdout);
        return CAROM_EXIT_DONE;
    }
    const carom_command *command = carom_command_find(arguments->operands[0]);
    if (!command)
        return CAROM_EXIT_INPUT;
    carom_help_print(command, stdout);
    return CAROM_EXIT_DONE;
}

// The name is compared by length, because `--name=value` does not end it with a zero. No abbreviations: a new option would make
// an old script ambiguous.
static const carom_option *find_long(const carom_option *options, const char *name, size_t size) {
    for (; options->name; options++)
        if (strlen(options->name) == size && strncmp(options->name, name, size) == 0)
            return options;
    return NULL;
}

static const carom_option *find_short(const carom_option *options, char letter) {
    for (; options->name; options++)
        if (options->letter == letter)
            return options;
    return NULL;
}

static void say_unknown(const carom_command *command, const char *word) {
    const char *names[16];
    int count = 0;
    for (const carom_option *o = command->options; o->name; o++)
        names[count++] = o->name;
    names[count++] = "help";
    // Only for long names: a single letter is near to every other one.
    const char *nearest = word[1] == '-' ? carom_text_nearest(word + 2, names, count) : NULL;
    if (nearest)
        carom_say_error("unknown option '%s' of carom %s (did you mean '--%s'?)", word, command->name, nearest);
    else
        carom_say_error("unknown option '%s' of carom %s (see carom %s --help)", word, command->name, command->name);
}

// True if an option takes any value, or this one.
static bool is_choice(const carom_option *option, const char *value) {
    for (int i = 0; option->choices; i++) {
        if (!option->choices[i])
            return false;
        if (strcmp(option->choices[i], value) == 0)
            return true;
    }
    return true;
}

static bool add_value(carom_arguments *arguments, const carom_option *option, const char *value) {
    if (arguments->value_count == CAROM_VALUES_MAX) {
        carom_say_error("too many options (at most %d)", CAROM_VALUES_MAX);
        return false;
    }
    arguments->values[arguments->value_count].option = option;
    arguments->values[arguments->value_count++].value = value;
    return true;
}

// Parses a word that begins with a dash, and its value, which may be the next word.
static bool read_option(carom_arguments *arguments, const char *word, const char *next, bool *took_next) {
    const carom_command *command = arguments->command;
    const carom_option *option;
    const char *value = NULL;
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t size = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
        option = find_long(command->options, word + 2, size);
        option = option ? option : find_long(carom_global_options, word + 2, size);
        value = equals ? equals + 1 : NULL;
    } else {
        option = find_short(command->options, word[1]);
        option = option ? option : find_short(carom_global_options, word[1]);
        value = word[2] ? word + 2 : NULL;
    }
    if (!option) {
        say_unknown(command, word);
        return false;
    }
    // `--quiet=no` would otherwise count as --quiet.
    if (!option->argument && value) {
        carom_say_error("option --%s accepts no value", option->name);
        return false;
    }
    if (option->argument && !value) {
        value = next;
        *took_next = true;
    }
    if (option->argument && !value) {
        carom_say_error("option --%s needs a value: --%s %s", option->name, option->name, option->argument);
        return false;
    }
    if (value && !is_choice(option, value)) {
        carom_say_error("option --%s expects %s, found '%s'", option->name, option->argument, value);
        return false;
    }
    return add_value(arguments, option, value ? value : "");
}

bool carom_arguments_read(carom_arguments *arguments, const carom_command *command, int count, char **words,
                          const char **operands) {
    *arguments = (carom_arguments){.command = command, .operands = operands};
    // After `--` a word that begins with a dash is an operand, such as a file with that name.
    bool only_operands = false;
    for (int i = 0; i < count; i++) {
        bool took_next = false;
        if (!only_operands && strcmp(words[i], "--") == 0) {
            only_operands = true;
            // a single dash is an operand
        } else if (!only_operands && words[i][0] == '-' && words[i][1]) {
            if (!read_option(arguments, words[i], i + 1 < count ? words[i + 1] : NULL, &took_next))
                return false;
            i += took_next;
        } else {
            operands[arguments->operand_count++] = words[i];
        }
    }
    // help and version require no operands
    if (carom_arguments_value(arguments, "help") || carom_arguments_value(arguments, "version"))
        return true;
    int given = arguments->operand_count;
    if (given < command->operands_min) {
        carom_say_error("carom %s needs %s (see carom %s --help)", command->name, command->operands, command->name);
        return false;
    }
    if (command->operands_max >= 0 && given > command->operands_max) {
        carom_say_error("unexpected argument '%s' (see carom %s --help)", operands[command->operands_max], command->name);
        return false;
    }
    return true;
}

const char *carom_arguments_value(const carom_arguments *arguments, const char *name) {
    // The last one counts, so that an alias or script can be overridden at the end of the line.
    for (int i = arguments->value_count - 1; i >= 0; i--)
        if (strcmp(arguments->values[i].option->name, name) == 0)
            return arguments->values[i].value;
    return NULL;
}

bool carom_arguments_whole(const carom_arguments *arguments, const char *name, int64_t least, int64_t most, int64_t *number) {
    const char *text = carom_arguments_value(arguments, name);
    if (!text)
        return true;
    char *end;
    // strtoll reports an overflow by errno alone.
    errno = 0;
    *number = strtoll(text, &end, 10);
    if (!errno && end != text && !*end && *number >= least && *number <= most)
        return true;
    carom_say_error("--%s expects a whole number from %" PRId64 " to %" PRId64 ", found '%s'", name, least, most, text);
    return false;
}

// All of them in their order: a later --set is applied after an earlier one.
int carom_arguments_values(const carom_arguments *arguments, const char *name, const char *values[CAROM_VALUES_MAX]) {
    int count = 0;
    for (int i = 0; i < arguments->value_count; i++)
        if (strcmp(arguments->values[i].option->name, name) == 0)
            values[count++] = arguments->values[i].value;
    return count;
}

bool carom_option_repeats(const carom_option *option) {
    return strcmp(option->name, "set") == 0 || strcmp(option->name, "vary") == 0;
}

static void print_option_usage(const carom_option *option, FILE *stream) {
    fputs(" [", stream);
    if (option->letter)
        fprintf(stream, "-%c", option->letter);
    else
        fprintf(stream, "--%s", option->name);
    if (option->argument)
        fprintf(stream, " %s", option->argument);
    fputs("]", stream);
    if (carom_option_repeats(option))
        fputs("...", stream);
}

static void print_options(const carom_option *options, FILE *stream) {
    for (; options->name; options++) {
        char names[64];
        snprintf(names, sizeof names, "%s%c%s--%s%s%s", options->letter ? "-" : "  ", options->letter ? options->letter : ' ',
                 options->letter ? ", " : " ", options->name, options->argument ? " " : "",
                 options->argument ? options->argument : "");
        fprintf(stream, "  %-27s %s\n", names, options->doc);
    }
}

void carom_help_print(const carom_command *command, FILE *stream) {
    fprintf(stream, "usage: carom %s%s%s", command->name, *command->operands ? " " : "", command->operands);
    for (const carom_option *o = command->options; o->name; o++)
        print_option_usage(o, stream);
    fputs("\n\n", stream);
    carom_print_wrapped(command->doc, 0, stream);
    fputs("\noptions:\n", stream);
    print_options(command->options, stream);
    // of the global options only --help: --version belongs to the program
    print_options((carom_option[]){carom_global_options[0], {0}}, stream);
}

void carom_overview_print(FILE *stream) {
    fputs("usage: carom COMMAND [ARGUMENTS]\n\n"
          "carom simulates bodies that collide, and records every joule and every unit of momentum.\n\n"
          "commands:\n",
          stream);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(stream, "  %-12s %s\n", commands[i].name, commands[i].summary);
    fputs("\noptions:\n", stream);
    print_options(carom_global_options, stream);
    fputs("\ncarom COMMAND --help explains a command. Try: carom run scenes/papers/dcr/two_bars.yaml\n", stream);
}
