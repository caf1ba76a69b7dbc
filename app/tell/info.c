// SPDX-License-Identifier: MIT
// carom info: lists all methods, elements, materials and meshes, explains one of them or a word of another program, or shows a
// result.
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/commands.h"
#include "app/families.h"
#include "app/foreign_words.h"
#include "app/message.h"
#include "app/result.h"
#include "app/verdicts.h"
#include "carom/sim.h"
#include "carom/text.h"

enum { NAMES_MAX = 256 };

static void print_heading(const char *text) {
    printf("%s%s%s\n", carom_style_begin(CAROM_STYLE_BOLD, stdout), text, carom_style_end(stdout));
}

// Lists the contents of all catalogues.
static void list_all(void) {
    carom_family families[CAROM_FAMILIES];
    carom_families(families);
    for (int f = 0; f < CAROM_FAMILIES; f++) {
        print_heading(families[f].plural);
        for (int i = 0; i < families[f].catalogue->count; i++) {
            const carom_kind *kind = families[f].catalogue->kinds[i];
            printf("  %-20s %s\n", kind->name, kind->summary);
        }
        putchar('\n');
    }
    carom_scene_section sections[CAROM_SCENE_KEYS_MAX];
    int count = carom_scene_sections(sections);
    print_heading("sections of a scene");
    for (int i = 0; i < count; i++)
        printf("  %-20s %s\n", sections[i].name, sections[i].doc);
    putchar('\n');
    puts("carom info NAME shows the parameters of one of them, carom info materials a library of substances, carom info DIR a "
         "result, or the results in DIR.\ncarom info WORD says what carom calls a word of another program, such as ALLKE.");
}

// One row of a parameter table in words. Only a key of a scene may be left out without having a default.
static void print_param(const carom_param *p, bool required) {
    char expected[256];
    carom_param_expected(p, expected, sizeof expected);
    printf("  %s%s%s  %s", carom_style_begin(CAROM_STYLE_BOLD, stdout), p->name, carom_style_end(stdout), expected);
    if (p->unit && *p->unit)
        printf(" [%s]", p->unit);
    if (p->initial)
        printf(", default %s\n", p->initial);
    else
        puts(required ? ", required" : "");
    carom_print_wrapped(p->doc, 6, stdout);
}

static void print_params(const char *title, const carom_param *params, int count) {
    if (count == 0) {
        printf("\n%s: none\n", title);
        return;
    }
    printf("\n%s:\n", title);
    for (int i = 0; i < count; i++)
        print_param(&params[i], true);
}

static void print_key(const carom_scene_key *key) {
    if (key->param) {
        print_param(key->param, key->required);
        return;
    }
    // a long description gets separate lines
    bool fits = strlen(key->expected) < 60;
    printf("  %s%s%s  %s\n", carom_style_begin(CAROM_STYLE_BOLD, stdout), key->name, carom_style_end(stdout),
           fits ? key->expected : "");
    if (!fits)
        carom_print_wrapped(key->expected, 6, stdout);
    carom_print_wrapped(key->doc, 6, stdout);
}

static bool show_section(const char *name) {
    carom_scene_section sections[CAROM_SCENE_KEYS_MAX];
    carom_scene_key keys[CAROM_SCENE_KEYS_MAX];
    int count = carom_scene_sections(sections);
    for (int i = 0; i < count; i++) {
        if (strcmp(sections[i].name, name) != 0)
            continue;
        print_heading(name);
        carom_print_wrapped(sections[i].doc, 0, stdout);
        printf("\nkeys%s%s:\n", sections[i].item ? " of a " : "", sections[i].item ? sections[i].item : "");
        int key_count = carom_scene_section_keys(i, keys);
        for (int k = 0; k < key_count; k++)
            print_key(&keys[k]);
        return true;
    }
    return false;
}

static void print_claim(const char *name, const char *value) {
    printf("  %-26s %s\n", name, value);
}

// Claims that the conformance test checks; "no promise" does not mean that a property does not hold.
static void print_claims(const carom_integrator *integrator) {
    const carom_claims *claims = &integrator->claims;
    static const char *const energies[] = {"no promise", "error bounded, no drift (smooth motion)", "exact (smooth motion)"};
    puts("\nclaims (each is checked by the conformance test):");
    print_claim("linear momentum", claims->linear_momentum ? "exact, contact included" : "no promise");
    print_claim("angular momentum",
                claims->angular_momentum ? "exact for rotation-invariant elements and touching points" : "no promise");
    print_claim("energy", energies[claims->energy]);
    print_claim("energy of an impulse", claims->contact_energy ? "never adds any, its loss is recorded exactly" : "no promise");
    print_claim("symplectic", claims->symplectic ? "yes (smooth motion)" : "no promise");
    print_claim("reversible", claims->reversible ? "yes (smooth motion)" : "no promise");
    printf("  %-26s %d\n", "order", claims->order);
    if (integrator->conditions)
        carom_print_wrapped(integrator->conditions, 2, stdout);
    if (integrator->lacks)
        puts("\nit lacks:");
    for (const carom_lack *lack = integrator->lacks; lack && lack->need; lack++)
        printf("  %s%s%s\n", carom_need_name(lack->need), lack->with ? ", with " : "", lack->with ? lack->with : "");
}

static bool is_listed(const char *const *names, const char *name) {
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

// The settings of contact that the integrator uses, then the names of the others.
static void print_contact(const carom_integrator *integrator) {
    int count;
    const carom_param *params = carom_contact_params(&count);
    puts("\nit reads from `contact`:");
    for (int i = 0; i < count; i++)
        if (!is_listed(integrator->ignored, params[i].name))
            print_param(&params[i], true);
    if (!integrator->ignored)
        return;
    fputs("  of no effect:", stdout);
    for (const char *const *name = integrator->ignored; *name; name++)
        printf("%s %s", name == integrator->ignored ? "" : ",", *name);
    putchar('\n');
}

static void print_kind(const carom_family *family, const carom_kind *kind) {
    printf("%s%s%s (%s)\n", carom_style_begin(CAROM_STYLE_BOLD, stdout), kind->name, carom_style_end(stdout),
           family->catalogue->family);
    carom_print_wrapped(kind->summary, 0, stdout);
    if (kind->reference && *kind->reference) {
        puts("\nreference:");
        carom_print_wrapped(kind->reference, 2, stdout);
    }
    print_params("parameters", kind->params, kind->param_count);
    // only integrators have settings of time and contact, and claims
    if (family->catalogue != carom_integrators())
        return;
    int count;
    const carom_param *params = carom_time_params(&count);
    print_params("it reads from `time`", params, count);
    print_contact((const carom_integrator *)kind);
    print_claims((const carom_integrator *)kind);
}

static void print_substance(const carom_substance *s) {
    printf("%s%s%s (%s)\n", carom_style_begin(CAROM_STYLE_BOLD, stdout), s->name, carom_style_end(stdout), s->law);
    carom_print_wrapped(s->summary, 0, stdout);
    puts("\nin m, kg, s, K:");
    carom_print_wrapped(s->values, 2, stdout);
    puts("\nsource:");
    carom_print_wrapped(s->source, 2, stdout);
}

// Laws, and the substances of the library.
static bool show_materials(const char *name) {
    const carom_substance *one = carom_substance_find(name);
    if (one)
        print_substance(one);
    if (strcmp(name, "materials") != 0)
        return one != NULL;
    print_heading("laws");
    for (int i = 0; i < carom_materials()->count; i++)
        printf("  %-20s %s\n", carom_materials()->kinds[i]->name, carom_materials()->kinds[i]->summary);
    putchar('\n');
    int count;
    const carom_substance *all = carom_substances(&count);
    print_heading("substances (material: {use: NAME})");
    for (int i = 0; i < count; i++)
        printf("  %-20s %s (%s)\n", all[i].name, all[i].summary, all[i].law);
    puts("\ncarom info NAME shows the numbers of one of them and where they come from.");
    return true;
}

// Kinds by name, which may be in several families; else a section of a scene.
static bool show_kind(const char *name) {
    carom_family families[CAROM_FAMILIES];
    carom_families(families);
    bool found = false;
    for (int f = 0; f < CAROM_FAMILIES; f++) {
        const carom_kind *kind = carom_catalogue_find(families[f].catalogue, name);
        if (!kind)
            continue;
        if (found)
            putchar('\n');
        print_kind(&families[f], kind);
        found = true;
    }
    return found || show_materials(name) || show_section(name);
}

static int shown(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

// The results in the folders of a directory, a line each; returns how many there are.
static int list_results(const char *directory) {
    // Sorted by name, because the order of a directory is arbitrary.
    struct dirent **entries;
    int count = scandir(directory, &entries, shown, alphasort), found = 0;
    for (int i = 0; i < count; i++) {
        char path[2 * CAROM_TEXT_MAX];
        carom_result result;
        snprintf(path, sizeof path, "%s%s%s", directory, directory[strlen(directory) - 1] == '/' ? "" : "/",
                 entries[i]->d_name);
        if (strlen(path) < CAROM_TEXT_MAX && carom_result_read(path, &result, NULL)) {
            int failed = carom_verdicts_failed(result.verdicts, result.verdict_count);
            carom_print_cell(path, 0, 32, stdout);
            printf(" %-12s  error %8.1e  %s", result.completed ? "complete" : "not complete", result.summary.energy_error,
                   result.title);
            printf(failed ? " (%d %s failed)\n" : "\n", failed, carom_plural(failed, "gate", "gates"));
            carom_result_release(&result);
            found++;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return found;
}

static int show_result(const char *directory) {
    carom_result result;
    carom_error error;
    if (!carom_result_read(directory, &result, &error)) {
        // a folder of results, from `carom compare`, or from `carom sweep`, which has them in runs/
        char runs[2 * CAROM_TEXT_MAX];
        snprintf(runs, sizeof runs, "%s/runs", directory);
        if (list_results(directory) > 0 || list_results(runs) > 0)
            return CAROM_EXIT_DONE;
        return carom_refuse("%s", error.message);
    }
    const carom_summary *summary = &result.summary;
    print_heading(*result.title ? result.title : *result.scene ? result.scene : directory);
    printf("%s, %" PRId64 " %s of %.6g, %s\n\n", result.integrator, summary->steps,
           carom_plural(summary->steps, "step", "steps"), result.step_size,
           result.completed ? "complete" : "not complete: go on with carom run --resume");
    carom_put_text(carom_ledger_table(summary, result.labels), stdout);
    if (result.verdict_count > 0) {
        putchar('\n');
        carom_verdicts_print(result.verdicts, result.verdict_count, stdout);
    }
    printf("\n%.3g s on %d %s, %" PRId64 " contact %s, state %s\n", summary->wall_seconds, summary->threads,
           carom_plural(summary->threads, "thread", "threads"), summary->contact_events,
           carom_plural(summary->contact_events, "event", "events"), result.state_hash);
    printf("carom %s%s%s\n", result.version, *result.scene ? ", scene " : "", result.scene);
    carom_result_release(&result);
    return CAROM_EXIT_DONE;
}

// Suggests substances whose names begin with the word, such as steel-304 for `steel`; false if there are none.
static bool say_substances(const char *name) {
    char list[400] = "";
    int count, found = 0;
    const carom_substance *all = carom_substances(&count);
    for (int i = 0; i < count; i++)
        if (*name && strncmp(all[i].name, name, strlen(name)) == 0)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", found++ ? ", " : "", all[i].name);
    if (found)
        carom_say_error("'%s' is neither a name nor a result directory (of the substances there %s %s)", name,
                        carom_plural(found, "is", "are"), list);
    return found > 0;
}

// True if one of the rows has that name, or is a choice of which the word is one.
static bool among(const char *name, const carom_param *rows, int count) {
    for (int i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return true;
        for (int k = 0; rows[i].choices && rows[i].choices[k]; k++)
            if (strcmp(rows[i].choices[k], name) == 0)
                return true;
    }
    return false;
}

// Reports where a parameter, a key or one of their values is explained, such as `prony` or `hinge`; false if it is none of
// these.
static bool say_parameter(const char *name) {
    carom_family families[CAROM_FAMILIES];
    carom_families(families);
    carom_scene_section sections[CAROM_SCENE_KEYS_MAX];
    carom_scene_key keys[CAROM_SCENE_KEYS_MAX];
    char list[400] = "";
    int found = 0, count = carom_scene_sections(sections);
    for (int f = 0; f < CAROM_FAMILIES; f++)
        for (int i = 0; i < families[f].catalogue->count; i++) {
            const carom_kind *kind = families[f].catalogue->kinds[i];
            if (among(name, kind->params, kind->param_count))
                snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", found++ ? ", " : "", kind->name);
        }
    for (int i = 0; i < count; i++) {
        bool has = false;
        for (int k = carom_scene_section_keys(i, keys) - 1; k >= 0; k--)
            has = has || strcmp(keys[k].name, name) == 0 || (keys[k].param && among(name, keys[k].param, 1));
        if (has)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", found++ ? ", " : "", sections[i].name);
    }
    if (found)
        carom_say_error("'%s' is a word of %s: see carom info %.*s", name, list, (int)strcspn(list, ","), list);
    return found > 0;
}

static void say_unknown(const char *name) {
    carom_family families[CAROM_FAMILIES];
    carom_families(families);
    carom_scene_section sections[CAROM_SCENE_KEYS_MAX];
    const char *names[NAMES_MAX];
    int count = carom_scene_sections(sections);
    for (int i = 0; i < count; i++)
        names[i] = sections[i].name;
    for (int f = 0; f < CAROM_FAMILIES; f++)
        for (int i = 0; i < families[f].catalogue->count && count < NAMES_MAX; i++)
            names[count++] = families[f].catalogue->kinds[i]->name;
    int substances;
    const carom_substance *all = carom_substances(&substances);
    for (int i = 0; i < substances && count < NAMES_MAX; i++)
        names[count++] = all[i].name;
    const char *nearest = carom_text_nearest(name, names, count);
    char foreign[CAROM_FOREIGN_WORD_MAX];
    if (!nearest && carom_foreign_nearest(name, foreign))
        nearest = foreign;
    if (nearest)
        carom_say_error("'%s' is neither a name nor a result directory (did you mean '%s'?)", name, nearest);
    else
        carom_say_error("'%s' is neither a name nor a result directory (carom info lists all names)", name);
}

int carom_command_info(const carom_arguments *arguments) {
    if (arguments->operand_count == 0) {
        list_all();
        return CAROM_EXIT_DONE;
    }
    const char *name = arguments->operands[0];
    // Names come before directories: ./NAME shows a directory that is called like a kind.
    if (show_kind(name))
        return CAROM_EXIT_DONE;
    struct stat info;
    if (stat(name, &info) == 0 && S_ISDIR(info.st_mode))
        return show_result(name);
    // carom's own words come before those of others
    if (say_substances(name) || say_parameter(name))
        return CAROM_EXIT_INPUT;
    if (carom_foreign_show(name))
        return CAROM_EXIT_DONE;
    say_unknown(name);
    return CAROM_EXIT_INPUT;
}
