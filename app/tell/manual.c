// SPDX-License-Identifier: MIT
// carom manual: the reference of scene files, the man page and the words of other programs, derived from the tables that the
// command uses.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "app/families.h"
#include "app/foreign_words.h"
#include "app/message.h"
#include "carom/scene.h"
#include "carom/text.h"
#include "carom/version.h"

// Writes text for roff with special characters escaped; `code` becomes bold.
static void put(const char *text) {
    bool bold = false;
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '`') {
            bold = !bold;
            fputs(bold ? "\\fB" : "\\fR", stdout);
        } else if (*text == '\\') {
            fputs("\\e", stdout);
        } else if (*text == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(*text);
        }
    }
}

static void put_line(const char *text) {
    put(text);
    putchar('\n');
}

// Writes a name in bold.
static void put_bold(const char *text) {
    fputs("\\fB", stdout);
    put(text);
    fputs("\\fR", stdout);
}

// The name in bold and the value in italics, as man pages have them. The text of the table becomes a sentence.
static void put_option(const carom_option *option) {
    puts(".TP");
    if (option->letter) {
        const char letter[] = {'-', option->letter, 0};
        put_bold(letter);
        fputs(", ", stdout);
    }
    char name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    put_bold(name);
    if (option->argument) {
        fputs(" \\fI", stdout);
        put(option->argument);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    char first = (char)toupper((unsigned char)option->doc[0]);
    printf("%c", first);
    put(option->doc + 1);
    puts(".");
}

// One subsection per command, with the same texts as its --help.
static void put_command(const carom_command *command) {
    fputs(".SS ", stdout);
    char title[128];
    snprintf(title, sizeof title, "carom %s%s%s", command->name, *command->operands ? " " : "", command->operands);
    put_line(title);
    put_line(command->doc);
    for (const carom_option *o = command->options; o->name; o++)
        put_option(o);
}

static void put_params(const carom_param *params, int count) {
    for (int i = 0; i < count; i++) {
        const carom_param *p = &params[i];
        char expected[256];
        carom_param_expected(p, expected, sizeof expected);
        puts(".TP");
        put_bold(p->name);
        putchar('\n');
        put(expected);
        if (*p->unit) {
            fputs(" [", stdout);
            put(p->unit);
            fputs("]", stdout);
        }
        fputs(p->initial ? ", default " : ", required", stdout);
        put(p->initial ? p->initial : "");
        puts(".");
        put_line(p->doc);
    }
}

static void put_kinds(void) {
    carom_family families[CAROM_FAMILIES];
    carom_families(families);
    for (int f = 0; f < CAROM_FAMILIES; f++) {
        char heading[64];
        snprintf(heading, sizeof heading, "%s", families[f].plural);
        for (char *c = heading; *c; c++)
            *c = (char)toupper((unsigned char)*c);
        printf(".SH %s\n", heading);
        for (int i = 0; i < families[f].catalogue->count; i++) {
            const carom_kind *kind = families[f].catalogue->kinds[i];
            fputs(".SS ", stdout);
            put_line(kind->name);
            put_line(kind->summary);
            if (*kind->reference) {
                puts(".PP");
                put_line(kind->reference);
            }
            put_params(kind->params, kind->param_count);
        }
    }
}

static void put_settings(const char *name, const carom_param *params, int count) {
    printf(".SH %s\n", name);
    put_params(params, count);
}

static const char *const file_names[][2] = {
    {"history.csv", "The ledger over time, one row per output step."},
    {"probes.csv", "Motion, contact force, stress and strain of chosen nodes."},
    {"probes_samples.csv", "Velocity and contact impulse of probes with a filter, evenly spaced."},
    {"probes_filtered.csv", "Filtered accelerations and forces of these probes."},
    {"contacts.csv", "Each impulse of contact, on request."},
    {"pairs.csv", "The contact force between each two bodies that have touched, and its moment."},
    {"fields.pvd, fields/",
     "The animation for ParaView: the list of frames and one .vtu file each. Element fields are 0 in cells "
     "whose element does not offer them."},
    {"fields.vtkhdf", "The animation in one file, on request."},
    {"summary.json", "The results of the run in numbers."},
    {"scene.yaml", "The scene with all defaults filled in."},
    {"checkpoint.carom", "The state to resume from, on request or after an interruption."},
    {"report.html", "The report page, on request."},
    {"lock.carom", "Belongs to the run that is writing the results; removed at its end."},
};

static const char *const exit_codes[][2] = {
    {"0", "Done."},
    {"1", "The run finished but an expect: gate failed."},
    {"2", "Bad input, or a file that cannot be read or written."},
    {"3",
     "The computation failed, and the last admissible state is saved; or it is complete, but more than 2 % of the energy is "
     "unexplained."},
    {"130", "Interrupted; a checkpoint is written and --resume goes on with the same bits."},
};

static void put_table(const char *heading, const char *const rows[][2], int count) {
    printf(".SH %s\n", heading);
    for (int i = 0; i < count; i++) {
        puts(".TP");
        put_bold(rows[i][0]);
        putchar('\n');
        put_line(rows[i][1]);
    }
}

static void print_man(void) {
    int count, param_count;
    const carom_command *commands = carom_commands(&count);
    printf(".TH CAROM 1 \"\" \"carom %s\" \"User Commands\"\n", carom_version());
    puts(".SH NAME\ncarom \\- impact dynamics whose books balance\n.SH SYNOPSIS");
    for (int i = 0; i < count; i++) {
        if (i > 0)
            puts(".br");
        char title[128];
        snprintf(title, sizeof title, "%s%s%s", commands[i].name, *commands[i].operands ? " " : "", commands[i].operands);
        fputs("\\fBcarom\\fR ", stdout);
        put(title);
        puts(commands[i].options[0].name ? " [options]" : "");
    }
    puts(".SH DESCRIPTION");
    put_line("carom simulates bodies that collide: elastic and rigid ones, elastoplastic metals, rubber. Every joule and every "
             "unit of momentum is recorded: kinetic and stored energy, external work, losses by friction, restitution, "
             "projection, plastic flow and viscosity, and the unexplained residual.");
    puts(".PP");
    put_line("A simulation is described by a scene, a YAML or JSON file; `carom manual scene` prints all its keys.");
    puts(".SH COMMANDS");
    for (int i = 0; i < count; i++)
        put_command(&commands[i]);
    puts(".SH OPTIONS");
    for (const carom_option *o = carom_global_options; o->name; o++)
        put_option(o);
    put_table("EXIT STATUS", exit_codes, sizeof exit_codes / sizeof *exit_codes);
    put_table("RESULT FILES", file_names, sizeof file_names / sizeof *file_names);
    puts(".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nNo colours, also on a terminal.");
    puts(".TP\n\\fBOMP_NUM_THREADS\\fR\nThe number of threads without \\fB\\-\\-threads\\fR.");
    puts(".TP\n\\fBCAROM_THREADS\\fR\n"
         "With the value \\fBfixed\\fR all threads share every step, whether or not that is faster.");
    puts(".TP\n\\fBCAROM_KERNELS\\fR\nThe copy of the kernels that computes forces: "
         "\\fBbaseline\\fR, \\fBv3\\fR or \\fBv4\\fR. "
         "All give the same bits; without it the best one for the processor is taken.");
    puts(".TP\n\\fBCAROM_VIEWER\\fR\nThe template of the report page, in place of the one that belongs to the command.");
    puts(".TP\n\\fBBROWSER\\fR\nThe program with which \\fBcarom view\\fR opens a page.");
    const carom_param *params = carom_time_params(&param_count);
    put_settings("TIME", params, param_count);
    params = carom_contact_params(&param_count);
    put_settings("CONTACT", params, param_count);
    put_kinds();
}

int carom_command_manual(const carom_arguments *arguments) {
    const char *which = arguments->operands[0];
    if (strcmp(which, "scene") == 0)
        carom_put_text(carom_scene_manual(), stdout);
    else if (strcmp(which, "man") == 0)
        print_man();
    else if (strcmp(which, "words") == 0)
        carom_foreign_print_page();
    else {
        const char *nearest = carom_text_nearest(which, arguments->command->choices, 3);
        return carom_refuse("unknown manual '%s' (%s%s)", which, nearest ? "did you mean " : "there are scene, man, words",
                            nearest ? nearest : "");
    }
    return CAROM_EXIT_DONE;
}
