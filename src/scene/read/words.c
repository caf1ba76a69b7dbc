// SPDX-License-Identifier: MIT
// Hints for unknown keys: a table of words of other programs and of textbooks, and a search for the key in other maps.
#include "scene/read/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "carom/element.h"

// Words of one hint, in lower case with '-' between parts.
typedef struct answer {
    const char *words; // each between blanks
    const char *sentence;
} answer;

static const answer answers[] = {
    // materials
    {" plastic plasticity yield yield-stress yield-strength hardening isotropic-hardening kinematic-hardening elastic-plastic "
     "elastoplastic elasto-plastic johnson-cook bilinear ductile ",
     "elastoplastic metals are `j2`, with `yield` and `hardening` (linear, voce, johnson-cook, table, swift)"},
    {" damage failure fracture erosion cohesive cohesive-section crack damage-initiation damage-evolution breakage ",
     "carom has no damage: nothing breaks, and no element is removed; compare the largest stresses with the strength"},
    {" viscosity visco prony maxwell kelvin-voigt relaxation creep ",
     "the law is `viscoelastic`, with branches `prony` parallel to any law; `damping` of a body acts on all of its motion"},
    {" rayleigh alpha-damping beta-damping damp damping-ratio ",
     "damping of a body is `damping: {mass: ..., stiffness: ...}`, forces -mass M v - stiffness K v"},
    {" hyperelastic mooney arruda-boyce rubber blatz-ko hyperfoam ",
     "rubber is `mooney-rivlin`, `yeoh`, `gent` or `ogden` with a `bulk` modulus, or `neo-hookean` with young and poisson"},
    {" elastic isotropic hooke hookean isotropic-elastic linear-elastic mat-elastic ",
     "elastic laws are `linear` (small rotations), `st-venant-kirchhoff` (small strains) and `neo-hookean` (any), with young, "
     "poisson and density"},
    {" svk st-venant saint-venant-kirchhoff stvk kirchhoff ", "the law is called `st-venant-kirchhoff`"},
    {" steel aluminium aluminum copper brass titanium abs concrete wood ",
     "`material: {use: NAME}` selects a substance of the library, which `carom info materials` lists"},
    {" orthotropic anisotropic transversely-isotropic composite laminate lamina engineering-constants ",
     "carom's laws are isotropic; layers can be groups of elements with `materials` of their own"},
    {" foam crushable-foam honeycomb soil sand fluid eos sph airbag explosive ",
     "carom has solids that are elastic, metals (`j2`), rubber (`yeoh`, ...) and `viscoelastic` ones"},
    {" temperature thermal heat conductivity expansion specific-heat ",
     "carom has no heat conduction; `j2` with `hardening: johnson-cook` is heated by its plastic work"},
    {" bulk-modulus shear-modulus lame lambda ",
     "laws take young and poisson: E = 9 K G/(3 K + G), nu = (3 K - 2 G)/(6 K + 2 G)"},
    {" bulk-viscosity mass-scaling hourglass-control element-deletion ",
     "carom has none: steps follow the elements (`step: auto`), and every loss of energy is in the ledger"},
    // rigid bodies and connections
    {" rigid-body rigid-wall analytical-rigid undeformable ",
     "a rigid body has the element `rigid`: element: {rigid: {density: ...}}; a fixed plane is an entry of contact.planes"},
    {" joint hinge revolute slider prismatic cylindrical spherical ball-joint spherical-joint pivot ",
     "rigid bodies are held by `joints`: {kind: hinge, body: ..., at: [x, y, z], axis: [x, y, z]}; `connections` pins points "
     "of two deformable bodies together"},
    {" pin connector connector-section connector-behavior mpc coupling "
     "kinematic-coupling distributing-coupling equation rbe2 rbe3 link ",
     "`connections` pins points of two bodies together, as a ball joint does, two of them as a hinge; `tied` glues surfaces"},
    {" spring dashpot damper spring-damper ",
     "`springs` pull at rigid bodies: {from: {body: ..., point: ...}, to: {point: ...}, stiffness: ..., damping: ...}; between "
     "deformable ones a `bar` of one element has the stiffness young area/length"},
    {" bolt bolts screw rivet pretension pre-tension-section ",
     "carom has no bolts: `connections` pins points of two bodies together, `tied` ties their surfaces"},
    {" tie ties glue glued bonded bond weld welded adhesive tied-contact mesh-tie ", "`tied` ties surfaces"},
    {" spotweld spot-weld spotwelds fastener fasteners ", "`connections` pins points of two bodies together"},
    // obstacles and supports
    {" obstacle obstacles wall walls floor ground table rigidwall plane ",
     "a fixed plane is an entry of contact.planes: {name: floor, normal: [0, 0, 1]}; any other obstacle is a body with "
     "`obstacle: {}` in place of element and material"},
    {" boundary boundary-conditions boundary-condition bc bcs support supports fixed fixtures encastre clamp clamps spc ",
     "nodes are held by `restraints`: {body: ..., set: ..., fix: xyz}"},
    {" initial-velocity initial-conditions initial v0 velocities-0 ",
     "the velocity at the start is `velocity` (and `spin`) of an entry of `bodies`"},
    {" forces neumann load cload dload ", "forces, pressures and tractions are entries of `loads`"},
    // methods
    {" explicit central-difference verlet leapfrog leap-frog explicit-dynamics dynamic-explicit ",
     "explicit are newmark-dcr and asynchronous, which has a step for every element"},
    {" implicit hht hht-alpha generalized-alpha newmark newmark-beta dynamic-implicit trapezoidal midpoint ",
     "integrator: energy-momentum is implicit; newmark-dcr is explicit; analysis: static finds equilibrium"},
    {" dynamic dynamics transient method solver-type scheme ",
     "`integrator` advances a motion (newmark-dcr is the usual one); `analysis: static` replaces it"},
    {" quasi-static quasistatic equilibrium nonlinear-static ",
     "equilibrium is `analysis: static`, in place of integrator and time"},
    {" modal eigen eigenvalue frequency buckling buckle harmonic ",
     "carom has no modal analysis: a run with a probe shows the lowest frequencies"},
    {" penalty contact-stiffness penalty-stiffness lagrange-multiplier augmented-lagrange ",
     "impacts are found at their exact time and need no penalty, except in energy-momentum and, optionally, in "
     "nonsmooth-newmark"},
    // parts of a scene by other names
    {" part parts object objects geometry model section sections solid-section assembly instance instances ",
     "each part is an entry of `bodies`, with mesh, element and material"},
    {" self-contact selfcontact ", "contact of a body with itself is contact.self, or contact.pairs with the same name twice"},
    {" interaction interactions contact-pair contact-pairs contacts surface-interaction general-contact ",
     "all bodies touch where they meet; `contact` holds friction and restitution, and contact.pairs the exceptions"},
    {" monitor monitors sensor sensors history-output field-output print node-print node-file el-file output-request ",
     "results are chosen in `output`: probes, history, fields"},
    // meshes and elements
    {" stl obj ply msh inp vtu vtk unv import read cad ", "a mesh from a file is `mesh: {file: {path: ...}}`"},
    {" iges igs brep geo med ", "`carom mesh FILE -o part.msh` meshes it through gmsh; then `mesh: {file: {path: part.msh}}`"},
    {" cone torus pipe prism capsule ellipsoid cuboid block ",
     "carom generates boxes, plates, balls, cylinders, tubes, spheres and more (`carom info`); mesh other shapes with gmsh and "
     "name the file by `file`"},
    {" shell s3 s3r stri3 thin-shell membrane plate-element ", "shells are `loop-shell`, on a mesh of tri3 cells"},
    {" s4 s4r quad-shell ", "shells are `loop-shell`, on a mesh of tri3 cells, not of quadrilaterals"},
    {" beam b31 timoshenko euler-bernoulli frame beam-section ", "beams are `exact-beam`, with the integrator multisymplectic"},
    {" truss t3d2 rod cable ", "the element of two nodes without bending is `bar`"},
    {" solid brick hex hexa hexahedron c3d8 c3d8i ",
     "bricks are `hex8`; tetrahedra are `tet4`, or `nodal`, which does not lock"},
    {" c3d8r reduced-integration ", "a brick of one point is {hex8: {integration: one-point}}"},
    {" tet tetra tetrahedron c3d4 ", "tetrahedra are `tet4`, or `nodal`, which does not lock"},
    {" tet10 c3d10 c3d10m hex20 c3d20 quadratic second-order ",
     "meshes of second order are reduced to their corners: tetrahedra are `nodal`, or `tet4`, which may lock"},
    {" cps3 cpe3 cps4 cpe4 plane-stress plane-strain ",
     "plane bodies are `tri3` or `quad4` with plane: stress or plane: strain"},
    {" axisymmetric cax4 cax3 ", "carom has no axisymmetric elements"},
    {" mass point mass-element lumped-mass weight ",
     "masses follow from the density; a rigid body may have `mass` in its place, {rigid: {mass: ...}}; a point mass is a body "
     "of its own: mesh: {point: ...}, element: {point-mass: {mass: ...}}"},
};

// Lower case, '-' for '_' and blanks; "" if the word is longer than any known one.
static void normalize(const char *word, char *text, size_t size) {
    size_t length = strlen(word);
    text[0] = 0;
    if (length + 1 > size)
        return;
    for (size_t i = 0; i <= length; i++)
        text[i] = word[i] == '_' || word[i] == ' ' ? '-' : (char)tolower((unsigned char)word[i]);
}

enum { WORD_MAX = 40 };

const char *carom_word_answer(const char *word) {
    char plain[WORD_MAX], between[WORD_MAX + 2];
    normalize(word, plain, sizeof plain);
    if (!plain[0])
        return NULL;
    snprintf(between, sizeof between, " %s ", plain);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (strstr(answers[i].words, between))
            return answers[i].sentence;
    return NULL;
}

// Places that have been found.
typedef struct places {
    const char *name;
    char *text;
    size_t size;
    int count;
} places;

enum { PLACES_MAX = 3, DEPTH_MAX = 6 };

static void add_place(places *p, const char *path, const char *kinds) {
    size_t used = strlen(p->text);
    if (p->count++ >= PLACES_MAX)
        return;
    snprintf(p->text + used, p->size - used, "%s%s%s%s%s", p->count == 1 ? "" : ", ", *path ? path : "the scene itself",
             *kinds ? " (" : "", kinds, *kinds ? ")" : "");
}

// The kinds of a catalogue that have such a parameter: one place, with their names.
static void search_kinds(places *p, const carom_key *key, const char *path) {
    const carom_catalogue *catalogue = key->catalogue();
    char kinds[100] = "";
    int count = 0;
    for (int k = 0; k < catalogue->count && !key->described; k++)
        for (int i = 0; i < catalogue->kinds[k]->param_count; i++) {
            if (strcmp(catalogue->kinds[k]->params[i].name, p->name) != 0)
                continue;
            size_t used = strlen(kinds);
            if (count++ < PLACES_MAX)
                snprintf(kinds + used, sizeof kinds - used, "%s%s", used ? ", " : "", catalogue->kinds[k]->name);
        }
    if (count > PLACES_MAX)
        snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), ", ...");
    if (count)
        add_place(p, path, kinds);
}

static void search_table(places *p, const carom_key *table, const char *path, int depth) {
    carom_key keys[CAROM_KEYS_MAX];
    int count = carom_keys_expand(table, keys);
    for (int i = 0; i < count; i++)
        if (strcmp(keys[i].name, p->name) == 0)
            add_place(p, path, "");
    for (int i = 0; i < count && depth < DEPTH_MAX; i++) {
        char inner[128];
        snprintf(inner, sizeof inner, "%s%s%s%s", path, *path ? "." : "", keys[i].name,
                 keys[i].shape == CAROM_KEY_LIST ? "[]" : "");
        if (keys[i].shape == CAROM_KEY_PICK)
            search_kinds(p, &keys[i], inner);
        if (keys[i].shape == CAROM_KEY_MAP || keys[i].shape == CAROM_KEY_LIST)
            search_table(p, keys[i].keys, inner, depth + 1);
    }
}

const char *carom_word_places(const char *word, char *text, size_t size) {
    char list[300] = "";
    const char *name = carom_key_other_name(word);
    places p = {name ? name : word, list, sizeof list, 0};
    text[0] = 0;
    search_table(&p, carom_schema(), "", 0);
    if (p.count)
        snprintf(text, size, "`%s` is a key of %s%s", p.name, list, p.count > PLACES_MAX ? " and others" : "");
    else if (carom_catalogue_find(carom_elements(), word))
        snprintf(text, size, "`%s` is an element of a body: `element: {%s: {...}}`", word, word);
    return text;
}

// " (there are 'copies', 'spacing')", where these fit into a message.
static void list_keys(const carom_key *keys, int count, char *text, size_t size) {
    enum { FEW = 24 };
    size_t used = 0;
    for (int i = 0; count <= FEW && i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s'%s'%s", i ? ", " : " (there are ", keys[i].name,
                                 i + 1 < count ? "" : ")");
}

void carom_word_unknown(const char *word, const carom_key *keys, int count, char *text, size_t size) {
    char hint[400] = "", other_places[256] = "";
    const char *meant = carom_key_meant(word, keys, count), *said = carom_word_answer(word);
    // a hint for the word itself is better than a similar word
    bool other = meant && carom_key_other_name(word) && strcmp(meant, carom_key_other_name(word)) == 0;
    meant = said && !other && !strchr(word, ':') ? NULL : meant;
    if (!meant)
        carom_word_places(word, other_places, sizeof other_places);
    if (meant && strncmp(word, meant, strlen(meant)) == 0 && word[strlen(meant)] == ':')
        snprintf(hint, sizeof hint, " (a blank must follow the colon of '%s')", meant);
    else if (meant)
        snprintf(hint, sizeof hint, " (did you mean '%s'?)", meant);
    if (strcmp(word, "<<") == 0)
        snprintf(hint, sizeof hint, " (YAML 1.2 has no merge key)");
    said = meant || !said ? "" : said;
    if (!hint[0] && !other_places[0] && !said[0])
        list_keys(keys, count, hint, sizeof hint);
    snprintf(text, size, "%s%s%s%s%s", hint, other_places[0] ? ": " : "", other_places,
             !said[0]          ? ""
             : other_places[0] ? "; "
                               : ": ",
             said);
}
