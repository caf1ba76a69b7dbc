// SPDX-License-Identifier: MIT
// An angle bracket, in millimetres: legs of 60 and 45, 40 wide and 6 thick, with a rib between them and two holes in each.
// bracket.step is made of it:  gmsh bracket.geo -0 -o bracket.step
SetFactory("OpenCASCADE");
Geometry.OCCTargetUnit = "MM";
e = 0.01;

// the profile of the legs, 6 thick, and its outer and inner bend
Box(1) = {0, 0, 0, 60, 40, 6};
Box(2) = {0, 0, 0, 6, 40, 45};
BooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
outer() = Curve In BoundingBox{-e, -e, -e, e, 40 + e, e};
leg() = Fillet{3}{outer()}{9};
inner() = Curve In BoundingBox{6 - e, -e, 6 - e, 6 + e, 40 + e, 6 + e};
leg() = Fillet{leg(0)}{inner()}{4};

// round ends of the legs
a() = Curve In BoundingBox{60 - e, -e, -e, 60 + e, e, 6 + e};
b() = Curve In BoundingBox{60 - e, 40 - e, -e, 60 + e, 40 + e, 6 + e};
c() = Curve In BoundingBox{-e, -e, 45 - e, 6 + e, e, 45 + e};
d() = Curve In BoundingBox{-e, 40 - e, 45 - e, 6 + e, 40 + e, 45 + e};
leg() = Fillet{leg(0)}{a(), b(), c(), d()}{10};

// a rib, 6 wide, in the middle
Point(1001) = {5, 17, 5};
Point(1002) = {38, 17, 5};
Point(1003) = {5, 17, 34};
Line(1001) = {1001, 1002};
Line(1002) = {1002, 1003};
Line(1003) = {1003, 1001};
Curve Loop(1001) = {1001, 1002, 1003};
Plane Surface(1001) = {1001};
rib() = Extrude {0, 6, 0} { Surface{1001}; };
BooleanUnion(4) = { Volume{leg(0)}; Delete; }{ Volume{rib(1)}; Delete; };

// holes for screws
Cylinder(11) = {48, 10, -1, 0, 0, 8, 3.5};
Cylinder(12) = {48, 30, -1, 0, 0, 8, 3.5};
Cylinder(13) = {-1, 10, 35, 8, 0, 0, 3.5};
Cylinder(14) = {-1, 30, 35, 8, 0, 0, 3.5};
BooleanDifference(5) = { Volume{4}; Delete; }{ Volume{11:14}; Delete; };
