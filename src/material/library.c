// SPDX-License-Identifier: MIT
// Substances by name: parameters of laws with their sources, in metres, kilograms, seconds and kelvins, and their conversion to
// the units of a scene. Numbers are those of one batch in one laboratory, or typical values of a data sheet: good for a first
// run, not for a certificate. Dynamic curves are those of Johnson and Cook (reference rate 1/s) unless noted.
#include <string.h>

#include "base/param.h"
#include "material/material.h"

#define JOHNSON_COOK_1983                                                                                                    \
    "G. R. Johnson, W. H. Cook: A constitutive model and data for metals subjected to large strains, high strain rates and " \
    "high temperatures. 7th International Symposium on Ballistics (1983) 541-547"
#define ASM "ASM Metals Handbook, 10th edition, volumes 1 and 2"
#define LESUER                                                                                                       \
    "D. R. Lesuer: Experimental investigations of material models for Ti-6Al-4V titanium and 2024-T3 aluminum. FAA " \
    "report DOT/FAA/AR-00/25 (2000)"
#define JC(A, B, n, C, m, melting, capacity)                                                                            \
    "; hardening: johnson-cook; yield: " #A "e6; strength: " #B "e6; exponent: " #n "; rate: " #C "; reference_rate: 1" \
    "; softening: " #m "; temperature: 293; melting: " #melting "; heat_capacity: " #capacity
#define ELASTIC(young, poisson, density) "young: " #young "e9; poisson: " #poisson "; density: " #density

static const carom_substance substances[] = {
    {"copper-ofhc", "j2", "OFHC copper, annealed", ELASTIC(124, 0.34, 8960) JC(90, 292, 0.31, 0.025, 1.09, 1356, 383),
     "Flow, density, heat: " JOHNSON_COOK_1983 ". Elastic: " ASM "."},
    {"brass-cartridge", "j2", "cartridge brass 70/30", ELASTIC(110, 0.375, 8520) JC(112, 505, 0.42, 0.009, 1.68, 1189, 385),
     "Flow, density, heat: " JOHNSON_COOK_1983 ". Elastic: " ASM "."},
    {"nickel-200", "j2", "nickel 200", ELASTIC(205, 0.264, 8900) JC(163, 648, 0.33, 0.006, 1.44, 1726, 446),
     "Flow, density, heat: " JOHNSON_COOK_1983 ". Elastic: Special Metals, Nickel 200 and 201, publication SMC-061."},
    {"iron-armco", "j2", "Armco iron", ELASTIC(208.2, 0.291, 7890) JC(175, 380, 0.32, 0.060, 0.55, 1811, 452),
     "Flow, density, heat: " JOHNSON_COOK_1983 ". Elastic: " ASM "."},
    {"steel-1006", "j2", "carbon steel 1006", ELASTIC(200, 0.29, 7890) JC(350, 275, 0.36, 0.022, 1.00, 1811, 452),
     "Flow, density, heat: " JOHNSON_COOK_1983 ". Elastic: " ASM "."},
    {"steel-4340", "j2", "steel 4340, hardened (Rockwell C-30)",
     ELASTIC(200, 0.29, 7830) JC(792, 510, 0.26, 0.014, 1.03, 1793, 477),
     "Flow, density, heat: " JOHNSON_COOK_1983 ". Elastic: " ASM "."},
    {"steel-304", "j2", "stainless steel 304", ELASTIC(207.8, 0.3, 7900) JC(310, 1000, 0.65, 0.07, 1.00, 1673, 440),
     "J. Frontan, Y. Zhang, M. Dao, J. Lu, F. Galvez, A. Jerusalem: Ballistic performance of nanocrystalline and nanotwinned "
     "ultrafine crystal steel. Acta Materialia 60 (2012) 1353-1367."},
    {"steel-weldox-460e", "j2", "structural steel Weldox 460 E",
     "young: 200e9; poisson: 0.33; density: 7850; hardening: johnson-cook; yield: 490e6; strength: 807e6; exponent: 0.73; "
     "rate: 0.0114; reference_rate: 5e-4; softening: 0.94; temperature: 293; melting: 1800; heat_capacity: 452",
     "T. Borvik, O. S. Hopperstad, T. Berstad, M. Langseth: A computational model of viscoplasticity and ductile damage for "
     "impact and penetration. European Journal of Mechanics A/Solids 20 (2001) 685-712."},
    {"aluminium-2024-t351", "j2", "aluminium 2024-T351", ELASTIC(73.1, 0.33, 2770) JC(265, 426, 0.34, 0.015, 1.00, 775, 875),
     "Flow, density, heat: " JOHNSON_COOK_1983 ". Elastic: " ASM "."},
    {"aluminium-2024-t3", "j2", "aluminium 2024-T3 sheet", ELASTIC(73.1, 0.33, 2770) JC(369, 684, 0.73, 0.0083, 1.7, 775, 875),
     "Flow: " LESUER ". Density, heat: " JOHNSON_COOK_1983 ". Elastic: " ASM "."},
    {"aluminium-6061-t6", "j2", "aluminium 6061-T6", ELASTIC(68.9, 0.33, 2700) JC(324, 114, 0.42, 0.002, 1.34, 925, 896),
     "Flow: D. R. Lesuer, G. J. Kay, M. M. LeBlanc: Modeling large-strain, high-rate deformation in metals. Lawrence Livermore "
     "National Laboratory, UCRL-JC-134118 (2001). Elastic, density, heat: " ASM "."},
    {"aluminium-7039", "j2", "aluminium 7039", ELASTIC(69.6, 0.33, 2770) JC(337, 343, 0.41, 0.010, 1.00, 877, 875),
     "Flow, density, heat: " JOHNSON_COOK_1983 ". Elastic: " ASM "."},
    {"titanium-6al-4v", "j2", "titanium alloy Ti-6Al-4V",
     ELASTIC(113.8, 0.342, 4430) JC(1098, 1092, 0.93, 0.014, 1.1, 1878, 526.3),
     "Flow: " LESUER ". Elastic, density, heat: MatWeb, Ti-6Al-4V, annealed."},
    {"copper-taylor", "j2", "copper of the Taylor bar benchmark, linear hardening",
     ELASTIC(117, 0.35, 8930) "; yield: 400e6; modulus: 100e6",
     "A. Kamoulakos: A simple benchmark for impact. Benchmark, NAFEMS (1990) 31-35."},
    {"polycarbonate", "j2", "polycarbonate, general purpose, without hardening", ELASTIC(2.4, 0.38, 1200) "; yield: 65e6",
     "Young's modulus, yield stress, density: Covestro, Makrolon 2405, data sheet (ISO 527, ISO 1183). Poisson's ratio: Bayer, "
     "Engineering Polymers: Part and Mold Design (2000)."},
    {"abs", "j2", "ABS, general purpose, without hardening", ELASTIC(2.3, 0.35, 1040) "; yield: 45e6",
     "Young's modulus, yield stress, density: INEOS Styrolution, Terluran GP-22, data sheet (ISO 527, ISO 1183). Poisson's "
     "ratio: Bayer, Engineering Polymers: Part and Mold Design (2000)."},
    {"pom", "j2", "acetal homopolymer, without hardening", ELASTIC(3.1, 0.35, 1420) "; yield: 71e6",
     "Young's modulus, yield stress, density: DuPont, Delrin 500P NC010, data sheet (ISO 527, ISO 1183). Poisson's ratio: "
     "DuPont, Delrin Design Guide, Module III."},
    {"rubber-natural", "ogden", "natural rubber, unfilled, vulcanised with sulphur (Treloar's)",
     "terms: [[0.63e6, 1.3], [0.0012e6, 5], [-0.01e6, -2]]; bulk: 1.94e9; density: 920",
     "Terms: R. W. Ogden: Large deformation isotropic elasticity. Proceedings of the Royal Society A 326 (1972) 565-584, "
     "fitted to L. R. G. Treloar: Stress-strain data for vulcanised rubber under various types of deformation. Transactions "
     "of the Faraday Society 40 (1944) 59-70. Bulk modulus, density: L. A. Wood, G. M. Martin: Compressibility of natural "
     "rubber at pressures below 500 kg/cm2. Journal of Research of the National Bureau of Standards 68A (1964) 259-268."},
};

const carom_substance *carom_substances(int *count) {
    *count = (int)(sizeof substances / sizeof *substances);
    return substances;
}

const carom_substance *carom_substance_find(const char *name) {
    for (size_t i = 0; i < sizeof substances / sizeof *substances; i++)
        if (strcmp(substances[i].name, name) == 0)
            return &substances[i];
    return NULL;
}

// The number of units of the scene in one SI unit: a unit such as "force/length^2", a product and quotient of powers.
static double factor_of(const char *unit, size_t length, double metres, double kilograms, double seconds) {
    const struct {
        const char *name;
        double size;
    } known[] = {{"length", metres}, {"mass", kilograms},
                 {"time", seconds},  {"force", kilograms * metres / (seconds * seconds)},
                 {"temperature", 1}, {"1", 1}};
    double factor = 1;
    bool over = false;
    for (const char *c = unit, *end = unit + length; c < end;) {
        size_t size = strcspn(c, "/^,");
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (strlen(known[k].name) != size || strncmp(c, known[k].name, size) != 0)
                continue;
            int power = c + size < end && c[size] == '^' ? c[size + 1] - '0' : 1;
            for (int i = 0; i < power; i++)
                factor = over ? factor * known[k].size : factor / known[k].size;
        }
        c += size;
        if (c < end && *c == '^')
            c += 2;
        over = c < end && *c == '/';
        c++;
    }
    return factor;
}

// Converts a value that has been read.
static void convert(const carom_param *row, double metres, double kilograms, double seconds, void *fields) {
    char *field = (char *)fields + row->offset;
    const char *comma = strchr(row->unit, ','), *second = comma ? comma + 2 : row->unit;
    double first = factor_of(row->unit, comma ? (size_t)(comma - row->unit) : strlen(row->unit), metres, kilograms, seconds);
    if (row->type == CAROM_PARAM_REAL)
        *(double *)field *= first;
    carom_pairs *pairs = (carom_pairs *)field;
    for (int i = 0; row->type == CAROM_PARAM_PAIRS && i < pairs->count; i++) {
        pairs->rows[i][0] *= first;
        pairs->rows[i][1] *= factor_of(second, strlen(second), metres, kilograms, seconds);
    }
}

carom_pick carom_substance_pick(const carom_substance *substance, double length, double mass, double time, void *params) {
    const carom_kind *kind = carom_catalogue_find(carom_materials(), substance->law);
    carom_param_defaults(kind->params, kind->param_count, params);
    for (const char *c = substance->values; *c;) {
        size_t name = strcspn(c, ":"), size = strcspn(c, ";");
        for (int i = 0; i < kind->param_count; i++) {
            const carom_param *row = &kind->params[i];
            char text[256];
            if (strlen(row->name) != name || strncmp(row->name, c, name) != 0 || size - name - 2 >= sizeof text)
                continue;
            memcpy(text, c + name + 2, size - name - 2);
            text[size - name - 2] = 0;
            carom_param_parse(row, text, params, NULL);
            convert(row, length, mass, time, params);
        }
        c += size;
        c += strspn(c, "; ");
    }
    return (carom_pick){kind, params};
}
