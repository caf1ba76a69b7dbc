// SPDX-License-Identifier: MIT
// Notes on numbers that suggest mixed units. carom computes with the numbers as they are, whatever their units; but with a
// density in kg/m3 and lengths in mm results are meaningless, and nothing else would show it. With `units` the numbers are
// converted to metres, kilograms and seconds and compared with those of substances; without, only common mistakes are reported.
// Only filters of probes depend on the second; `units` defines its length.
#include <math.h>
#include <string.h>

#include "carom/facts.h"
#include "material/flow/j2_rate.h"
#include "math/vec3.h"
#include "scene/scene.h"

// One material of a scene.
typedef struct sample {
    double density, young;    // NaN: the law defines none
    double speed;             // sqrt(E / rho)
    const carom_tree *params; // its map in the file
    char path[160];           // of that map
} sample;

// What is checked, and where to report.
typedef struct unit_check {
    const carom_scene *scene;
    const carom_tree *root;
    carom_report *report;
    double size;       // the longest side of the box of a body
    double gravity;    // its magnitude
    unsigned reported; // a bit for each mistake that has been reported: each is reported once
} unit_check;

// Numbers between two bounds; both 0: any number.
typedef struct range {
    double least, most;
} range;

static bool is_within(double value, range r) {
    return (r.least == 0 && r.most == 0) || (value >= r.least && value <= r.most);
}

// Densities of solids, from light plastics to tungsten; of metals alone where the wider range would raise false suspicions.
#define KG_PER_M3 \
    { 500, 25000 }
#define METAL_KG_PER_M3 \
    { 2000, 12000 }
#define METAL_KG_PER_MM3 \
    { 2e-6, 2.5e-5 }
#define T_PER_MM3 \
    { 1e-10, 3e-8 }
// Young's modulus of stiff substances in Pa; of metals in MPa.
#define STIFF_PA \
    { 1e8, 2e12 }
#define METAL_MPA \
    { 5e4, 5e5 }
// Gravity on the moon, the earth and the planets; in mm/s2 on the earth.
#define M_PER_S2 \
    { 1, 30 }
#define MM_PER_S2 \
    { 9000, 10500 }
#define ANY \
    { 0, 0 }
#define ABOVE(x) \
    { x, HUGE_VAL }

// A common mistake: a combination of values that indicates mixed units. The ranges are chosen such that none of the scenes of
// this project is reported, many of which have no physical units.
typedef struct mistake {
    range density, young, speed, size, gravity;
    const char *key; // the number that is most likely wrong
    const char *text;
} mistake;

static const mistake mistakes[] = {
    {KG_PER_M3,
     ANY,
     {1e-300, 10},
     ABOVE(10),
     ANY,
     "density",
     "is probably in kg/m3, but lengths in mm: in mm, t, s the density of steel is 7.85e-9, in mm, kg, ms it is 7.85e-6"},
    {KG_PER_M3, STIFF_PA, ANY, ABOVE(50), ANY, "density",
     "is probably in kg/m3, and young in Pa, but lengths in mm: in m they are a thousandth; in mm, t, s steel has young 2.1e5 "
     "and density 7.85e-9"},
    {METAL_KG_PER_M3, METAL_MPA, ANY, ANY, ANY, "young",
     "is probably in MPa, but the density in kg/m3: in m, kg, s young of steel is 2.1e11"},
    {T_PER_MM3, STIFF_PA, ANY, ANY, ANY, "young",
     "is probably in Pa, but the density in t/mm3: in mm, t, s young is in MPa, of steel 2.1e5"},
    {METAL_KG_PER_MM3,
     {1e4, 1e6},
     ANY,
     ANY,
     ANY,
     "density",
     "is probably in kg/mm3, but young in MPa: with mm and MPa mass is in t and the density of steel 7.85e-9"},
    {T_PER_MM3, ANY, ANY, ANY, M_PER_S2, "gravity", "is probably in m/s2, but the density in t/mm3: in mm, t, s it is 9810"},
    {KG_PER_M3, STIFF_PA, ANY, ANY, MM_PER_S2, "gravity",
     "is probably in mm/s2, but the density in kg/m3: in m, kg, s it is 9.81"},
};

// Names of units, with their size in metres, kilograms and seconds.
typedef struct unit {
    const char *name;
    double size;
} unit;

static const unit lengths[] = {{"m", 1},    {"dm", 0.1},    {"cm", 0.01},   {"mm", 1e-3}, {"um", 1e-6},
                               {"km", 1e3}, {"in", 0.0254}, {"ft", 0.3048}, {NULL, 0}};
static const unit masses[] = {{"kg", 1}, {"g", 1e-3}, {"mg", 1e-6}, {"t", 1e3}, {"lb", 0.45359237}, {NULL, 0}};
static const unit times[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}, {NULL, 0}};

// 0 if the name is not known.
static double size_of(const unit *units, const char *name) {
    while (units->name && strcmp(units->name, name) != 0)
        units++;
    return units->size;
}

bool carom_scene_unit_sizes(const carom_tree *units, double sizes[3], char *reason, size_t size) {
    static const char *const keys[3] = {"length", "mass", "time"};
    const unit *const known[3] = {lengths, masses, times};
    if (!units) {
        snprintf(reason, size,
                 "its numbers are in m, kg, s; give the units of the scene, `units: {length: mm, mass: t, time: s}`");
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const carom_tree *name = carom_tree_get(units, keys[i]);
        char shown[CAROM_SHOWN_MAX], names[128] = "";
        sizes[i] = name && name->kind == CAROM_TREE_SCALAR ? size_of(known[i], name->text) : 0;
        if (sizes[i] > 0)
            continue;
        for (const unit *u = known[i]; u->name; u++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", u == known[i] ? "" : ", ", u->name);
        bool given = name && name->kind == CAROM_TREE_SCALAR;
        snprintf(reason, size, "%s%s%sunits.%s (known: %s); substances are converted from m, kg, s",
                 given ? "unknown unit " : "missing ", given ? carom_show_text(name->text, shown) : "", given ? " in " : "",
                 keys[i], names);
        return false;
    }
    return true;
}

// Substances and places, in metres, kilograms and seconds.
static const range substance_density = {1, 3e5}; // foams to osmium, 22600, and beyond: ballast is a small block of large mass
static const range substance_young = {10, 2e12}; // the softest gels to diamond and beyond
static const range substance_speed = {1, 20000}; // diamond has 18000
static const range place_gravity = {1, 30};      // moon to Jupiter
static const double steel_density = 7850, steel_young = 2.1e11, earth = 9.81;

// Adds a note at a key of a material or of the scene. Each is reported once; `bit` identifies it.
static void report_once(unit_check *l, const sample *s, int bit, const char *key, const char *text) {
    if (l->reported >> bit & 1)
        return;
    l->reported |= 1U << bit;
    bool of_scene = strcmp(key, "gravity") == 0;
    const carom_tree *map = of_scene ? l->root : s->params;
    char path[200];
    snprintf(path, sizeof path, "%s%s%s", of_scene ? "" : s->path, of_scene ? "" : ".", key);
    carom_report_note(l->report, carom_scene_place(map, key), path, text);
}

// Reports the first of the common mistakes that a material shows.
static void report_mistake(unit_check *l, const sample *s) {
    for (unsigned i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *p = &mistakes[i];
        if (!is_within(s->density, p->density) || !is_within(s->young, p->young) || !is_within(s->speed, p->speed) ||
            !is_within(l->size, p->size) || !is_within(l->gravity, p->gravity))
            continue;
        double value = strcmp(p->key, "gravity") == 0 ? l->gravity : strcmp(p->key, "young") == 0 ? s->young : s->density;
        char text[320];
        snprintf(text, sizeof text, "%g %s", value, p->text);
        report_once(l, s, (int)i, p->key, text);
        return;
    }
}

// Compares a material, and gravity, with the ranges of real substances and places.
static void compare(unit_check *l, const sample *s, const carom_units *u) {
    double L = size_of(lengths, u->length), M = size_of(masses, u->mass), T = size_of(times, u->time);
    double density = M / (L * L * L), young = M / (L * T * T), acceleration = L / (T * T), speed = L / T;
    if (!(L > 0 && M > 0 && T > 0))
        return;
    bool dense = is_within(s->density * density, substance_density) || isnan(s->density);
    bool stiff = is_within(s->young * young, substance_young) || isnan(s->young);
    char text[320];
    if (!dense) {
        char converted[64] = "";
        if (density != 1)
            snprintf(converted, sizeof converted, " is %.3g kg/m3,", s->density * density);
        snprintf(text, sizeof text, "%g %s/%s3%s like no substance: steel has %.3g in these units", s->density, u->mass,
                 u->length, *converted ? converted : " is", steel_density / density);
        report_once(l, s, 0, "density", text);
    }
    if (!stiff) {
        snprintf(text, sizeof text, "%g in %s, %s, %s is %.3g Pa, like no substance: steel has %.3g in these units", s->young,
                 u->length, u->mass, u->time, s->young * young, steel_young / young);
        report_once(l, s, 1, "young", text);
    }
    if (dense && stiff && !isnan(s->speed) && !is_within(s->speed * speed, substance_speed)) {
        snprintf(text, sizeof text, "with a density of %g waves run at %.3g m/s, as in no substance", s->density,
                 s->speed * speed);
        report_once(l, s, 2, "young", text);
    }
    if (l->gravity > 0 && !is_within(l->gravity * acceleration, place_gravity)) {
        snprintf(text, sizeof text, "%g %s/%s2 is %.3g m/s2: on earth it is %.4g in these units", l->gravity, u->length,
                 u->time, l->gravity * acceleration, earth / acceleration);
        report_once(l, s, 3, "gravity", text);
    }
}

// The yield stress of a metal is 1e-4 to 1e-2 of Young's modulus, that of a polymer about 5e-2. If the ratio is far outside of
// this range, one of the two stresses is in another unit.
static void compare_yield(unit_check *l, const sample *s, const carom_j2_params *p) {
    static const range share = {1e-6, 0.5};
    enum { BIT = 30 };
    double yield = carom_j2_slow_stress(p, 0, p->temperature);
    if (is_within(yield / s->young, share))
        return;
    char text[320];
    snprintf(text, sizeof text, "%g is %.2g of young, %g: metals yield at 1e-4 to 1e-2 of it, polymers at 5e-2", yield,
             yield / s->young, s->young);
    report_once(l, s, BIT, p->hardening == CAROM_HARDENING_TABLE ? "curve" : isnan(p->yield) ? "strength" : "yield", text);
}

static void check_material(unit_check *l, carom_pick pick, const carom_tree *tree, const char *path) {
    const carom_material *law = (const carom_material *)pick.kind;
    const carom_units *units = &l->scene->def.units;
    // a law without parameters may be written as a word: its place is that of the word
    const carom_tree *params = law ? carom_tree_get(tree, law->kind.name) : NULL;
    if (!law || !tree)
        return;
    sample s = {.density = law->density(pick.params), .params = params ? params : tree};
    s.young = law->young ? law->young(pick.params) : law->uniaxial ? law->uniaxial(pick.params, 0).tangent : NAN;
    s.speed = sqrt(s.young / s.density);
    snprintf(s.path, sizeof s.path, "%s%s%s", path, params ? "." : "", params ? law->kind.name : "");
    if (units->given)
        compare(l, &s, units);
    else
        report_mistake(l, &s);
    // a substance of the library has no parameters in the file, and its values are correct
    if (params && strcmp(law->kind.name, "j2") == 0)
        compare_yield(l, &s, pick.params);
}

void carom_scene_check_units(const carom_scene *scene, const carom_tree *root, carom_report *report) {
    const carom_scene_body *bodies = scene->def.bodies.items;
    const carom_tree *list = carom_tree_get(root, "bodies");
    unit_check l = {.scene = scene, .root = root, .report = report, .gravity = carom_norm(scene->def.gravity)};
    for (int b = 0; b < carom_model_body_count(scene->model); b++) {
        carom_facts facts = carom_model_facts(scene->model, b);
        for (int i = 0; i < 3; i++)
            l.size = fmax(l.size, facts.high[i] - facts.low[i]);
    }
    for (int b = 0; b < scene->def.bodies.count; b++) {
        const carom_tree *tree = carom_tree_at(list, b), *materials = carom_tree_get(tree, "materials");
        const carom_material_def *several = bodies[b].materials.items;
        char path[120];
        snprintf(path, sizeof path, "bodies[%d].material", b);
        check_material(&l, bodies[b].def.material, carom_tree_get(tree, "material"), path);
        for (int m = 0; m < bodies[b].materials.count; m++) {
            snprintf(path, sizeof path, "bodies[%d].materials[%d].material", b, m);
            check_material(&l, several[m].material, carom_tree_get(carom_tree_at(materials, m), "material"), path);
        }
    }
}

double carom_scene_second(const carom_units *units, double second) {
    double size = units->given ? size_of(times, units->time) : 0;
    return !isnan(second) ? second : size > 0 ? 1 / size : 1;
}

void carom_scene_check_seconds(const carom_scene_def *def, const carom_tree *root, carom_report *report) {
    const carom_tree *list = carom_tree_get(carom_tree_get(root, "output"), "probes");
    const carom_scene_probe *probes = def->probes.items;
    const char *name = def->units.time;
    // a name that is missing or at fault has been reported
    if (!def->units.given || !*name)
        return;
    double size = size_of(times, name);
    for (int i = 0; i < def->probes.count; i++) {
        const carom_tree *tree = carom_tree_at(list, i);
        double given = probes[i].second;
        char path[128], shown[CAROM_SHOWN_MAX];
        snprintf(path, sizeof path, "output.probes[%d].%s", i, isnan(given) ? "filter" : "second");
        if (isnan(given) && size == 0 && probes[i].filter != CAROM_FILTER_NONE)
            carom_report_add(
                report, carom_scene_place(tree, "filter"), path,
                "filter classes are in Hz, and units.time %s is unknown (known: s, ms, us, min, h): give `second`, the "
                "length of a second in this unit",
                carom_show_text(name, shown));
        // a given number may be rounded: 0.01667 minutes
        else if (!isnan(given) && size > 0 && fabs(given * size - 1) > 1e-3)
            carom_report_add(report, carom_scene_place(tree, "second"), path, "expected %.6g, as units.time is %s, found %g",
                             1 / size, name, given);
    }
}
