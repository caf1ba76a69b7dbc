// SPDX-License-Identifier: MIT
// Tests src/material/library.c.
//
// Every substance of the library has a material with valid parameters, all of its values are read, and values in other units
// are equivalent.
#include "../../support.h"
#include "carom/material.h"

// Parameters of any law.
typedef union params {
    carom_j2_params j2;
    carom_ogden_params ogden;
    char room[8192];
} params;

static void complete(void **state) {
    (void)state;
    int count;
    const carom_substance *all = carom_substances(&count);
    assert_true(count >= 18);
    for (int i = 0; i < count; i++) {
        params p;
        carom_error reason;
        const carom_kind *kind = carom_catalogue_find(carom_materials(), all[i].law);
        assert_non_null(kind);
        assert_true(kind->params_size <= sizeof p);
        carom_pick pick = carom_substance_pick(&all[i], 1, 1, 1, &p);
        assert_ptr_equal(pick.kind, kind);
        assert_ok(carom_pick_check(&pick, error));
        const carom_material *law = (const carom_material *)kind;
        assert_null(law->fault(&p, &reason));
        assert_true(strlen(all[i].source) > 20 && strlen(all[i].summary) > 2);
        assert_ptr_equal(carom_substance_find(all[i].name), &all[i]);
        // each "key: value" is a parameter with this value
        char values[1024], *rest = values;
        snprintf(values, sizeof values, "%s", all[i].values);
        for (char *part = strsep(&rest, ";"); part; part = strsep(&rest, ";")) {
            part += strspn(part, " ");
            char *value = strchr(part, ':');
            assert_non_null(value);
            *value = 0;
            int row = 0;
            while (row < kind->param_count && strcmp(kind->params[row].name, part) != 0)
                row++;
            if (row == kind->param_count)
                fail_msg("%s: %s is no parameter of %s", all[i].name, part, kind->name);
            params expected = p;
            assert_ok(carom_param_parse(&kind->params[row], value + 2, &expected, error));
            assert_memory_equal(&expected, &p, sizeof p);
        }
        // the range of solids
        double density = law->density(&p), young = law->young(&p);
        assert_true(density > 500 && density < 25000 && young > 1e5 && young < 1e12);
    }
    assert_null(carom_substance_find("unobtainium"));
}

static void units(void **state) {
    (void)state;
    carom_j2_params si, mm;
    carom_substance_pick(carom_substance_find("copper-ofhc"), 1, 1, 1, &si);
    // mm, t, s: MPa
    carom_substance_pick(carom_substance_find("copper-ofhc"), 1e-3, 1e3, 1, &mm);
    assert_near(mm.elastic.young, 124e3, 1e-9);
    assert_near(mm.elastic.density, 8960e-12, 1e-23);
    assert_near(mm.yield, 90, 1e-12);
    assert_near(mm.heat_capacity, 383e6, 1e-6);
    assert_near(mm.reference_rate, 1, 0);
    assert_near(mm.melting, si.melting, 0);
    // mm, kg, ms: GPa
    carom_substance_pick(carom_substance_find("copper-ofhc"), 1e-3, 1, 1e-3, &mm);
    assert_near(mm.elastic.young, 124, 1e-12);
    assert_near(mm.reference_rate, 1e-3, 1e-18);
    assert_near(mm.exponent, 0.31, 0);
    carom_ogden_params rubber;
    carom_substance_pick(carom_substance_find("rubber-natural"), 1e-3, 1e3, 1, &rubber);
    assert_int_equal(rubber.terms.count, 3);
    assert_near(rubber.terms.rows[2][0], -0.01, 1e-15);
    assert_near(rubber.terms.rows[2][1], -2, 0);
    assert_near(rubber.bulk, 1940, 1e-10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(complete), cmocka_unit_test(units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
