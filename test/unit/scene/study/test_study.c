// SPDX-License-Identifier: MIT
// Tests src/scene/study/study.c, src/scene/study/axis.c, src/scene/study/samples.c, src/scene/study/points.c,
// src/scene/study/folder.c, src/scene/study/digest.c.
// Points of a study: grids, lists, samples, names of folders; the digest of a scene by which a study detects changes.
#include "../../../support.h"
#include "carom/scene.h"
#include "carom/study.h"

// Value 0 of key 0 at seed 7.
#define FIRST_SAMPLE "3.813709"

// All points in one text: "a,b;c,d;" of the values.
static char *join(const carom_study *study) {
    static char text[4096];
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < study->point_count; i++)
        for (int k = 0; k < study->key_count; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", carom_study_value(study, i, k),
                                     k < study->key_count - 1 ? "," : ";");
    return text;
}

static carom_study make(const carom_study_def *def) {
    carom_study study;
    carom_error error = {0};
    if (carom_study_create(def, &study, &error) != CAROM_OK)
        fail_msg("%s", error.message);
    return study;
}

static void expect_values(const char *vary, const char *expected) {
    carom_study study = make(&(carom_study_def){.vary_count = 1, .vary = &vary});
    assert_string_equal(join(&study), expected);
    carom_study_release(&study);
}

static void expect_fault(const carom_study_def *def, const char *expected) {
    carom_study study;
    carom_error error = {0};
    assert_int_equal(carom_study_create(def, &study, &error), CAROM_BAD_INPUT);
    assert_string_equal(error.message, expected);
    carom_study_release(&study);
}

static void expect_vary_fault(const char *vary, const char *expected) {
    expect_fault(&(carom_study_def){.vary_count = 1, .vary = &vary}, expected);
}

static void values(void **state) {
    (void)state;
    expect_values("f=0,0.1,0.3", "0;0.1;0.3;");
    expect_values("f=0.10, 1e-1 ,.1,1E-1", "0.1;");
    expect_values("f=-0,0", "0;");
    expect_values("f=123456789012345678", "1.2345678901234568e+17;");
    expect_values("m=newmark-dcr,energy-momentum", "newmark-dcr;energy-momentum;");
    expect_values("v=[0, 0, -1],[1,2,3],{a: [1, 2], b: 3},'a,b'", "[0, 0, -1];[1,2,3];{a: [1, 2], b: 3};'a,b';");
    expect_values("v='a,b'", "'a,b';");
    expect_values("f=0:1:5", "0;0.25;0.5;0.75;1;");
    expect_values("f=0.1:0.5:5", "0.1;0.2;0.3;0.4;0.5;");
    expect_values("f=3:1:3", "3;2;1;");
    expect_values("f=5:9:1", "5;");
    expect_values("f=1:1000:4:log", "1;10;100;1000;");
    expect_values("f=-1:-100:3:log", "-1;-10;-100;");
    expect_values("f=0,1:3:3,10", "0;1;2;3;10;");
    // without a number before the colon the value is a text
    expect_values("e=a:b", "a:b;");
    expect_values("expect.'a=b'=1,2", "1;2;");
}

static void faults(void **state) {
    (void)state;
    expect_vary_fault("f", "--vary expects KEY=VALUES, such as contact.friction=0,0.1,0.3, found 'f'");
    expect_vary_fault("=1", "--vary expects KEY=VALUES, such as contact.friction=0,0.1,0.3, found '=1'");
    expect_vary_fault("f=", "--vary f: a value is missing after = or next to a comma");
    expect_vary_fault("f=1,,2", "--vary f: a value is missing after = or next to a comma");
    expect_vary_fault("f=1,", "--vary f: a value is missing after = or next to a comma");
    expect_vary_fault("f=1:2", "--vary f: '1:2' has no count (FROM:TO:COUNT, or FROM:TO with --random)");
    expect_vary_fault("f=1:2:", "--vary f: '1:2:' is no range (FROM:TO:COUNT or FROM:TO:COUNT:log)");
    expect_vary_fault("f=1:x:3", "--vary f: '1:x:3' is no range (FROM:TO:COUNT or FROM:TO:COUNT:log)");
    expect_vary_fault("f=1:2:3:4", "--vary f: '1:2:3:4' is no range (FROM:TO:COUNT or FROM:TO:COUNT:log)");
    expect_vary_fault("f=1:2:3:lin", "--vary f: '1:2:3:lin' is no range (FROM:TO:COUNT or FROM:TO:COUNT:log)");
    expect_vary_fault("f=1:2:2.5", "--vary f: the count of a range is a whole number from 1 to 100000");
    expect_vary_fault("f=1:2:0", "--vary f: the count of a range is a whole number from 1 to 100000");
    expect_vary_fault("f=0:2:3:log", "--vary f: a logarithmic range has ends of one sign, and none is 0");
    expect_fault(&(carom_study_def){0}, "nothing is varied: --vary KEY=A,B,C or --list FILE.csv");
    static const char *const twice[] = {"f=1", "f=2"}, *const many[] = {"a=1:1000:1000", "b=1:1000:1000"};
    expect_fault(&(carom_study_def){.vary_count = 2, .vary = twice}, "'f' is varied twice");
    expect_fault(&(carom_study_def){.vary_count = 2, .vary = many}, "the study has more than 100000 points");
    static const char *const mixed[] = {"f=1:2,3"}, *const empty[] = {"f=2:2"};
    expect_fault(&(carom_study_def){.vary_count = 1, .vary = mixed, .samples = 3}, "--vary f: a range FROM:TO stands alone");
    expect_fault(&(carom_study_def){.vary_count = 1, .vary = empty, .samples = 3}, "--vary f: the range is empty");
    expect_fault(&(carom_study_def){.samples = 3}, "--random needs a range to choose from: --vary KEY=FROM:TO");
}

static void grid_and_list(void **state) {
    (void)state;
    static const char *const vary[] = {"a=1,2", "b=x,y,x"};
    carom_study study = make(&(carom_study_def){.vary_count = 2, .vary = vary});
    assert_string_equal(join(&study), "1,x;1,y;2,x;2,y;");
    carom_study_release(&study);

    static const char list[] = "\xef\xbb\xbf# two keys\r\n\r\nc, d\r\n1.0,\"[1, 2]\"\r\n 2 ,\"say \"\"no\"\"\"\n# end\n3,4";
    carom_study_def def = {.list = list, .list_size = strlen(list), .list_name = "points.csv"};
    study = make(&def);
    assert_string_equal(study.keys[1], "d");
    assert_string_equal(join(&study), "1,[1, 2];2,say \"no\";3,4;");
    carom_study_release(&study);
    def.vary = vary;
    def.vary_count = 1;
    study = make(&def);
    assert_string_equal(join(&study), "1,[1, 2],1;1,[1, 2],2;2,say \"no\",1;2,say \"no\",2;3,4,1;3,4,2;");
    carom_study_release(&study);

    static const char *const bad[][2] = {
        {"", "points.csv: has no line with keys, such as contact.friction,time.step"},
        {"a,b\n", "points.csv: has no rows below its head"},
        {"a,b\n1,2\n\n3\n", "points.csv:4: the row has 1 values, the head has 2 keys"},
        {"a,b\n1,\n", "points.csv:2: there is an empty cell in this line"},
        {"a,b\n1,\"2\n", "points.csv:2: a quote is not closed in this line"},
        {"a,a\n1,2\n", "'a' is varied twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_fault(&(carom_study_def){.list = bad[i][0], .list_size = strlen(bad[i][0]), .list_name = "points.csv"},
                     bad[i][1]);
}

// Each class of a Latin hypercube has one sample, listed values occur equally often, and values are the same on every machine.
static void samples(void **state) {
    (void)state;
    enum { N = 40 };
    static const char *const vary[] = {"a=2:4", "b=1e-3:1:log", "c=x,y", "d=1000.0001:1000.0002"};
    carom_study_def def = {.vary_count = 4, .vary = vary, .samples = N, .seed = 7};
    carom_study study = make(&def), again = make(&def);
    assert_int_equal(study.point_count, N);
    char *first = strdup(join(&study));
    assert_string_equal(first, join(&again));
    int met[3][N] = {{0}}, words = 0;
    for (int i = 0; i < N; i++) {
        double a = atof(carom_study_value(&study, i, 0)), b = atof(carom_study_value(&study, i, 1)),
               d = atof(carom_study_value(&study, i, 3));
        met[0][(int)((a - 2) / 2 * N)]++;
        met[1][(int)((log(b) / log(1e-3) - 1) * -N)]++;
        met[2][(int)((d - 1000.0001) / 1e-4 * N)]++;
        words += strcmp(carom_study_value(&study, i, 2), "x") == 0;
    }
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < N; i++)
            assert_int_equal(met[axis][i], 1);
    assert_int_equal(words, N / 2);
    // fixed bits: a change of the generator would change the studies of users
    assert_string_equal(carom_study_value(&study, 0, 0), FIRST_SAMPLE);
    def.seed = 8;
    carom_study other = make(&def);
    assert_string_not_equal(first, join(&other));
    free(first);
    carom_study_release(&study);
    carom_study_release(&again);
    carom_study_release(&other);
}

static void unions(void **state) {
    (void)state;
    static const char *const vary[] = {"a=1,2", "a=2,3,1", "b=1"};
    carom_study study = make(&(carom_study_def){.vary_count = 1, .vary = &vary[0]});
    carom_study more = make(&(carom_study_def){.vary_count = 1, .vary = &vary[1]});
    carom_study other = make(&(carom_study_def){.vary_count = 1, .vary = &vary[2]});
    assert_ok(carom_study_add(&study, &more, error));
    assert_string_equal(join(&study), "1;2;3;");
    assert_int_equal(carom_study_add(&study, &other, NULL), CAROM_BAD_INPUT);
    carom_study_release(&other);
    static const char *const keys[] = {"a"}, *const known[] = {"5", "6"};
    assert_ok(carom_study_copy(1, keys, 2, known, &other, error));
    assert_ok(carom_study_add(&study, &other, error));
    assert_string_equal(join(&study), "1;2;3;5;6;");
    carom_study_release(&study);
    carom_study_release(&more);
    carom_study_release(&other);
}

static void expect_folder(const char *const *vary, int count, int point, const char *expected) {
    carom_study study = make(&(carom_study_def){.vary_count = count, .vary = vary});
    char name[CAROM_STUDY_FOLDER_MAX];
    carom_study_folder(&study, point, name);
    assert_string_equal(name, expected);
    carom_study_release(&study);
}

static void folders(void **state) {
    (void)state;
    expect_folder((const char *[]){"contact.friction=0,0.1", "bodies.part.velocity[2]=-1,-2"}, 2, 3,
                  "friction=0.1_velocity.2=-2");
    expect_folder((const char *[]){"bodies.a.velocity[2]=1", "bodies.b.velocity[2]=2"}, 2, 0, "a.velocity.2=1_b.velocity.2=2");
    expect_folder((const char *[]){"integrator=energy-momentum", "expect.'tip.vx'=1"}, 2, 0, "integrator=energy-momentum_vx=1");
    // for other characters, upper case or long names, the folder name is a hash of the point
    char names[4][CAROM_STUDY_FOLDER_MAX];
    const char *vary =
        "v=[0,1],[0.1],A,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    carom_study study = make(&(carom_study_def){.vary_count = 1, .vary = &vary});
    for (int i = 0; i < 4; i++) {
        carom_study_folder(&study, i, names[i]);
        assert_true(strspn(names[i], "abcdefghijklmnopqrstuvwxyzA0123456789-+._=") == strlen(names[i]));
        assert_true(names[i][strlen(names[i]) - 13] == '-');
        for (int k = 0; k < i; k++)
            assert_string_not_equal(names[i], names[k]);
    }
    assert_memory_equal(names[0], "v=-0-1--", 8);
    carom_study_release(&study);
}

// The digest depends on the content, not on comments and layout.
static void examination(void **state) {
    (void)state;
    static const char *const texts[] = {
        "integrator: newmark-dcr\ntime: {end: 1}\nbodies:\n"
        "  - {name: a, mesh: {file: {path: study_mesh.off}}, element: bar, material: {linear: {young: 1, density: 1}}}\n",
        "# said otherwise\nintegrator: newmark-dcr\ntime:\n  end: 1\nbodies:\n"
        "  - name: a\n    mesh: {file: {path: study_mesh.off}}\n    element: bar\n"
        "    material: {linear: {young: 1, density: 1}}\n",
    };
    carom_scene_facts facts[5] = {0};
    carom_error error = {0};
    static const char *const override = "time.end=2", *const wrong = "time.end=-2";
    for (int i = 0; i < 5; i++) {
        FILE *file = fopen("study_scene.yaml", "w");
        fputs(texts[i % 2], file);
        fclose(file);
        // a missing mesh file, then one, then another: its bytes enter the digest, it is not read as a mesh
        file = i > 1 ? fopen("study_mesh.off", "w") : NULL;
        if (file) {
            fprintf(file, "mesh %d\n", i == 4);
            fclose(file);
        } else {
            remove("study_mesh.off");
        }
        assert_int_equal(carom_scene_examine("study_scene.yaml", NULL, 0, &facts[i], NULL, &error), CAROM_OK);
        assert_true(facts[i].digest != 0);
    }
    assert_true(facts[0].digest == facts[1].digest && facts[2].digest == facts[3].digest);
    assert_true(facts[0].digest != facts[2].digest && facts[3].digest != facts[4].digest);
    carom_scene_facts other;
    assert_int_equal(carom_scene_examine("study_scene.yaml", &override, 1, &other, NULL, &error), CAROM_OK);
    assert_true(other.digest != facts[4].digest);
    assert_string_equal(other.directory, "out/study_scene");
    carom_findings findings = {0};
    assert_int_equal(carom_scene_examine("study_scene.yaml", &wrong, 1, NULL, &findings, &error), CAROM_BAD_INPUT);
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.items[0].path, "time.end");
    carom_findings_release(&findings);
    assert_int_equal(carom_scene_examine("nowhere.yaml", NULL, 0, &other, NULL, &error), CAROM_IO);
    assert_true(other.digest == 0 && other.directory[0] == 0);
    remove("study_scene.yaml");
    remove("study_mesh.off");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values), cmocka_unit_test(faults),  cmocka_unit_test(grid_and_list), cmocka_unit_test(samples),
        cmocka_unit_test(unions), cmocka_unit_test(folders), cmocka_unit_test(examination),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
