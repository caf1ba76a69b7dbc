// SPDX-License-Identifier: MIT
// Tests src/output/run/style.c, src/output/frames/surface_cells.c, src/output/run/forecast.c.
// Choice of the fields, cells and frames that are written, and their size.
#include "../../../solids.h"
#include "output/frames/style.h"
#include "output/run/output.h"

// A box of 4 x 3 x 2 bricks, or of six tetrahedra for each brick.
static void start(solid *s, bool tets) {
    static const solid_case bricks = {"hex8", "hex8", CAROM_HEX8_FULL, false}, tetrahedra = {"tet4", "tet4", 0, false};
    solid_start(s, tets ? &tetrahedra : &bricks, (const double[]){4, 3, 2}, (const int[]){4, 3, 2}, "linear",
                (carom_elastic_params){1, 0.3, 1});
    bench_simulate(&s->b, 1, 1e-3);
}

static bool is_outer(const double x[3]) {
    const double size[3] = {4, 3, 2};
    return !solid_is_inside(x, size, false);
}

// The sum of n.x/3 over the faces, which is the volume if they are a closed surface with outward normals.
static double enclosed(const carom_cover *cover, const double (*X)[3]) {
    double volume = 0;
    for (int c = 0; c < cover->cell_count; c++)
        for (int64_t i = cover->offsets[c] + 2; i < cover->offsets[c + 1]; i++) {
            const double *a = X[cover->points[cover->connectivity[cover->offsets[c]]]],
                         *b = X[cover->points[cover->connectivity[i - 1]]], *d = X[cover->points[cover->connectivity[i]]];
            double cross[3];
            carom_cross(b, d, cross);
            volume += carom_dot(a, cross) / 6;
        }
    return volume;
}

static void test_surface(void **state) {
    (void)state;
    for (int tets = 0; tets < 2; tets++) {
        solid s = {0};
        start(&s, tets);
        carom_grid grid;
        carom_cover cover;
        assert_ok(carom_grid_create(s.b.model, NULL, &grid, error));
        assert_ok(carom_cover_create(&grid, true, &cover, error));
        // 2 (4 3 + 3 2 + 4 2) squares; all but the inner 3 x 2 x 1 nodes
        assert_int_equal(cover.cell_count, tets ? 104 : 52);
        assert_int_equal(cover.point_count, 60 - 6);
        assert_int_equal(cover.connectivity_count, cover.cell_count * (tets ? 3 : 4));
        for (int k = 0; k < cover.point_count; k++) {
            assert_true(is_outer(s.b.model->X[cover.points[k]]));
            assert_true(k == 0 || cover.points[k] > cover.points[k - 1]);
        }
        // a face has nodes of its cell, and cells are in ascending order
        for (int c = 0; c < cover.cell_count; c++) {
            int cell = cover.cells[c], found = 0;
            assert_true(c == 0 || cell >= cover.cells[c - 1]);
            assert_int_equal(cover.types[c], tets ? 5 : 9);
            for (int64_t i = cover.offsets[c]; i < cover.offsets[c + 1]; i++)
                for (int64_t k = grid.offsets[cell]; k < grid.offsets[cell + 1]; k++)
                    found += grid.connectivity[k] == cover.points[cover.connectivity[i]];
            assert_int_equal(found, tets ? 3 : 4);
        }
        assert_near(enclosed(&cover, (carom_const_vectors)s.b.model->X), 24, 1e-12);
        carom_cover_release(&cover);
        // numbers are written on request only
        assert_false(grid.numbered);
        assert_true(carom_grid_number(&grid) && grid.node_number[17] == 17 && grid.cell_number[5] == 5);
        carom_grid_release(&grid);
        bench_end(&s.b);
    }
}

// Plane bodies have no interior: all cells are written.
static void test_plane(void **state) {
    (void)state;
    solid s = {0};
    solid_start(&s, &solid_cases[2], (const double[]){4, 3, 0}, (const int[]){4, 3, 1}, "linear",
                (carom_elastic_params){1, 0.3, 1});
    bench_simulate(&s.b, 1, 1e-3);
    carom_grid grid;
    carom_cover cover;
    assert_ok(carom_grid_create(s.b.model, NULL, &grid, error));
    assert_ok(carom_cover_create(&grid, true, &cover, error));
    assert_true(cover.cell_count == grid.cell_count && cover.point_count == grid.point_count);
    assert_null(cover.points);
    assert_null(cover.cells);
    carom_cover_release(&cover);
    carom_grid_release(&grid);
    bench_end(&s.b);
}

static void test_names(void **state) {
    (void)state;
    solid s = {0};
    start(&s, true);
    const char names[][CAROM_NAME_MAX] = {"velocity", "von_mises_nodes", "position"},
               wrong[][CAROM_NAME_MAX] = {"mass", "vonmises"}, all[][CAROM_NAME_MAX] = {"all"};
    carom_output_def def = carom_default_output_def();
    def.fields_names = names;
    def.fields_name_count = 3;
    assert_ok(carom_output_check_names(&def, s.b.model, NULL, NULL, error));
    uint64_t hash = carom_style_names_hash(&def);
    carom_grid grid;
    carom_frame_plan plan;
    assert_ok(carom_grid_create(s.b.model, NULL, &grid, error));
    assert_ok(carom_frame_plan_make(&def, &grid, 1000, &plan, error));
    carom_choice choice = carom_choice_make(&grid, &plan.style);
    int fields = 0, nodal = 0, points = 0;
    for (int f = 0; f < grid.field_count; f++) {
        fields += choice.fields[f];
        // the mean of a field requires the field
        assert_int_equal(carom_choice_needs(&grid, &choice, f), strcmp(grid.fields[f].name, "von_mises") == 0);
    }
    for (int f = 0; f < grid.nodal_count; f++)
        nodal += choice.nodal[f];
    for (int f = 0; f < grid.point_field_count; f++)
        points += choice.point_fields[f];
    assert_true(fields == 0 && nodal == 1 && points == 1 && !choice.mass && !choice.contact_state);

    int which = -1;
    def.fields_names = wrong;
    def.fields_name_count = 2;
    assert_refused(carom_output_check_names(&def, s.b.model, NULL, &which, error), CAROM_BAD_INPUT,
                   "no field 'vonmises' (did you mean 'von_mises'?); it has: displacement, velocity");
    assert_int_equal(which, 1);
    assert_true(hash != carom_style_names_hash(&def));

    def.fields_names = all;
    def.fields_name_count = 1;
    assert_ok(carom_frame_plan_make(&def, &grid, 1000, &plan, error));
    choice = carom_choice_make(&grid, &plan.style);
    assert_true(choice.mass && choice.contact_state && choice.fields[0] && choice.nodal[0]);
    carom_grid_release(&grid);
    bench_end(&s.b);
}

// The rule for large models, applied to a small model with the counts of a large one, since only counts matter.
static void test_rule(void **state) {
    (void)state;
    solid s = {0};
    start(&s, true);
    carom_grid grid;
    assert_ok(carom_grid_create(s.b.model, NULL, &grid, error));
    carom_output_def def = carom_default_output_def();
    carom_frame_plan plan, small;
    assert_ok(carom_frame_plan_make(&def, &grid, 1000, &small, error));
    assert_true(!small.style.single && !small.style.compress && !small.style.surface && !small.style.reduced);
    assert_true(small.every == 10 && small.thinned == 1 && small.count == 102);

    int counts[] = {grid.point_count, grid.cell_count};
    int64_t entries = grid.connectivity_count;
    // a million tetrahedra
    grid.point_count = 175000;
    grid.cell_count = 1000000;
    grid.connectivity_count = 4000000;
    assert_ok(carom_frame_plan_make(&def, &grid, 1000, &plan, error));
    assert_true(plan.style.single && plan.style.compress && plan.style.reduced && !plan.style.surface);
    assert_true(plan.thinned > 1 && plan.every == 10 * plan.thinned);
    carom_frame_forecast forecast = carom_frame_plan_report(&plan);
    assert_true(forecast.bytes < 2e9 && forecast.count >= 20);
    char text[512];
    carom_output_forecast_text(&def, &forecast, text, sizeof text);
    assert_non_null(strstr(text, "in single precision, packed, with fewer fields, fewer than usual"));

    // explicit values of the scene are kept
    def.fields_every = 5;
    def.fields_precision = CAROM_PRECISION_DOUBLE;
    def.fields_compress = CAROM_SWITCH_OFF;
    def.fields_surface = CAROM_SWITCH_OFF;
    assert_ok(carom_frame_plan_make(&def, &grid, 1000, &plan, error));
    assert_true(!plan.style.single && !plan.style.compress && !plan.style.surface && plan.every == 5 && plan.thinned == 1);

    // requested times count as frames
    static const double times[] = {0.1, 0.2, 0.3};
    def.fields_every = 0;
    def.fields_at = times;
    def.fields_at_count = 3;
    assert_true(carom_output_has_frames(&def));
    assert_ok(carom_frame_plan_make(&def, &grid, 1000, &plan, error));
    assert_true(plan.every == 0 && plan.count == 3);
    grid.point_count = counts[0];
    grid.cell_count = counts[1];
    grid.connectivity_count = entries;
    carom_grid_release(&grid);

    // the forecast equals the decision
    def = carom_default_output_def();
    assert_ok(carom_output_forecast(&def, s.b.model, NULL, 1000, &forecast, error));
    assert_true(forecast.every == small.every && forecast.frame_bytes == small.frame_bytes && forecast.count == small.count);
    carom_output_forecast_text(&def, &forecast, text, sizeof text);
    assert_string_equal(text, "");
    bench_end(&s.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_surface),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
