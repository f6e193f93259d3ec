//! Formats other than CSV, as far as they can be told without their own programs; those are in
//! `tests/peers`.

use crate::common::{self, Folder, assert_says};

const TOWN: &str = "x,y,code,n\n155000,463000,0031,1\n155003,463004,0032,\n155006,463008,0033,3\n";

fn folder() -> Folder {
    Folder::new().with("town.csv", TOWN)
}

/// What a command prints, which must succeed.
fn done(folder: &Folder, command: &str) -> String {
    common::done(folder, command).stdout
}

#[test]
fn rows_pass_through_every_format_unchanged() {
    let folder = folder();
    done(&folder, "convert town.csv 0.gpkg --crs EPSG:28992");
    let chain = [
        "0.gpkg",
        "1.fgb",
        "2.geojson",
        "3.parquet",
        "4.arrow",
        "5.gpkg",
    ];
    for pair in chain.windows(2) {
        done(&folder, &format!("convert {} {}", pair[0], pair[1]));
    }
    done(&folder, "convert 5.gpkg back.csv");
    // The geometry was made from x and y, which are still there; each GeoPackage numbers its rows.
    assert_eq!(
        folder.read("back.csv"),
        "fid_2,fid,x,y,code,n,geometry_x,geometry_y\n\
         1,1,155000,463000,0031,1,155000,463000\n\
         2,2,155003,463004,0032,,155003,463004\n\
         3,3,155006,463008,0033,3,155006,463008\n"
    );
}

#[test]
fn answers_are_the_same_in_every_format() {
    let folder = folder();
    done(&folder, "convert town.csv town.parquet");
    let expected = done(&folder, "risk town.csv --k 2 --quiet");
    // Types make 1 and nothing of the column n, as in the text.
    assert_eq!(done(&folder, "risk town.parquet --k 2 --quiet"), expected);
}

#[test]
fn info_tells_what_is_there() {
    let folder = folder();
    done(&folder, "convert town.csv town.gpkg --crs EPSG:28992");
    insta::assert_snapshot!(done(&folder, "info town.gpkg"));
    insta::assert_snapshot!(done(&folder, "info town.csv"));
}

#[test]
fn the_summary_names_the_system() {
    let folder = Folder::new().with(
        "lonlat.csv",
        "lon,lat\n4.9,52.37\n4.901,52.37\n4.9,52.371\n4.902,52.372\n",
    );
    let ran = folder.run("risk lonlat.csv --k 2 -o out.gpkg --discs discs.gpkg");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_says(
        &ran.stderr,
        "EPSG:4326 (WGS 84), by the names of the columns",
    );
    assert_says(&ran.stderr, "fitted to the data: +proj=");
    assert_says(
        &done(&folder, "info discs.gpkg"),
        "polygons in \"geometry\"",
    );
}

#[test]
fn what_cannot_be_written_is_told_beforehand() {
    let folder = folder();
    for (arguments, message) in [
        ("-o out.shp", "does not write them"),
        ("-o out.xlsx", "does not say in which format"),
        ("-o out.csv.gz", "does not say in which format"),
        ("--to gpkg", "cannot go to standard output"),
        ("-o out.gpkg --discs out.gpkg", "also an output"),
        ("--crs EPSG:99999999", "EPSG:99999999"),
        ("--crs EPSG:28992 --compute-crs EPSG:4326", "needs metres"),
        ("--compute-crs EPSG:28992", "nothing says"),
        ("--layer roads", "no layers"),
        ("--format parquet", "not a complete Parquet file"),
    ] {
        let ran = folder.run(&format!("risk town.csv {arguments}"));
        assert_eq!(ran.code, Some(2), "{arguments}: {}", ran.stderr);
        assert_says(&ran.stderr, message);
    }
    assert_eq!(folder.names(), ["town.csv"]);
}

#[test]
fn a_name_that_says_tabs_gets_tabs() {
    let folder = Folder::new().with("t.csv", "x,y,name\n1.50,2,\"a,b\"\n3,4,c\n");
    done(&folder, "convert t.csv t.tsv");
    assert_eq!(folder.read("t.tsv"), "x\ty\tname\n1.5\t2\ta,b\n3\t4\tc\n");
    done(
        &folder,
        "risk t.csv --k 1 -o out.TSV --summary s.json --quiet",
    );
    let out = folder.read("out.TSV");
    assert!(out.starts_with("x\ty\tname\tmultiplicity\t"), "{out}");
    assert_says(&out, "\n1.50\t2\ta,b\t1\t0\t1\t0\t1.5\t2\tok\n");
    assert_says(&done(&folder, "verify s.json"), "verified");
    done(&folder, "convert t.csv t.parquet");
    done(&folder, "risk t.parquet --k 1 -o p.tab --quiet");
    assert!(
        folder
            .read("p.tab")
            .starts_with("x\ty\tname\tmultiplicity\t")
    );
}

#[test]
fn a_part_of_a_shapefile_is_not_text() {
    let folder = Folder::new().with("towns.dbf", b"\x03anything,x,y\n1,2,3\n");
    for command in [
        "info towns.dbf",
        "risk towns.dbf",
        "convert towns.dbf out.csv",
    ] {
        let ran = folder.run(command);
        assert_eq!(ran.code, Some(2));
        assert_says(
            &ran.stderr,
            "part of a Shapefile; its shapes are in towns.shp",
        );
    }
}

#[test]
fn short_rows_are_not_filled_up_in_secret() {
    let folder = Folder::new().with("t.csv", "x,y,n\n1,2,3\n4,5\n");
    for output in ["out.csv", "out.parquet", "out.gpkg"] {
        let command = format!("convert t.csv {output}");
        let ran = folder.run(&command);
        assert_eq!(ran.code, Some(2), "{output}");
        assert_says(&ran.stderr, "t.csv, line 3");
        assert!(!folder.names().contains(&output.to_owned()));
        done(&folder, &format!("{command} --on-invalid skip"));
    }
    assert_eq!(folder.read("out.csv"), "x,y,n\n1,2,3\n4,5,\n");
}

#[test]
fn the_same_rows_are_chosen_in_every_format() {
    let rows = "x,y,truth,number,code\n0,0,TRUE,1.0,007\n0,1,FALSE,2.5,7\n1,0,TRUE,1e0,7.0\n";
    let folder = Folder::new().with("t.csv", rows);
    done(&folder, "convert t.csv t.parquet");
    done(&folder, "convert t.csv t.gpkg --crs EPSG:28992");
    for (only, count) in [
        ("truth=true", 2),
        ("truth=TRUE", 2),
        ("truth=1", 2),
        ("truth=0", 1),
        ("number=1", 2),
        ("number=1.00", 2),
        ("number=2.5", 1),
        ("code=007", 1),
        ("code=7", 2),
    ] {
        for input in ["t.csv", "t.parquet", "t.gpkg"] {
            let out = done(
                &folder,
                &format!("risk {input} --k 1 --only {only} --quiet"),
            );
            let measured = out.lines().filter(|line| line.ends_with(",ok")).count();
            assert_eq!(measured, count, "{input} {only}: {out}");
        }
    }
    let ran = folder.run("risk t.parquet --k 1 --only truth=yes");
    assert_eq!(ran.code, Some(2));
}

#[test]
fn a_table_without_rows_is_told_of() {
    let folder = Folder::new().with("empty.csv", "x,y,name\n");
    let told = done(&folder, "info empty.csv");
    assert_says(&told, "rows       0\n");
    assert_says(&told, "places     x in \"x\", y in \"y\"");
    assert_says(&told, "  name ");
    for format in ["csv", "parquet", "gpkg", "geojson", "fgb", "arrow"] {
        let output = format!("convert empty.csv out.{format} --crs EPSG:28992");
        done(&folder, &output);
        let ran = folder.run(&format!("risk out.{format}"));
        assert_eq!(ran.code, Some(2), "{format}");
        assert_says(&ran.stderr, "no rows");
    }
    let ran = folder.run("risk empty.csv -o out");
    assert_eq!(ran.code, Some(2));
    assert_says(&ran.stderr, "empty.csv has no rows");
    assert_says(&ran.stderr, "help: ");
}

#[test]
fn a_conversion_says_what_it_has_written() {
    let folder = folder().with("names.csv", "name,n\na,1\nb,2\n");
    let says = |command: &str, told: &str| {
        let ran = common::done(&folder, command);
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", told));
    };
    says(
        "convert town.csv town.gpkg --crs EPSG:28992",
        "3 rows written to town.gpkg\n\
         CONFIDENTIAL: town.gpkg holds exact locations; keep it as safe as the input\n",
    );
    says(
        "convert town.gpkg back.csv",
        "3 rows written to back.csv\n\
         CONFIDENTIAL: back.csv holds exact locations; keep it as safe as the input\n",
    );
    says(
        "convert names.csv names.parquet",
        "2 rows written to names.parquet\n",
    );
    says("convert names.csv names.arrow --quiet", "");
}

#[test]
fn types_are_called_what_people_call_them() {
    let rows = "Rechtswert,Hochwert,name,share,born,seen,fined\n\
                3500000,5500000,a,0.5,2020-01-02,2020-01-02T03:04:05,TRUE\n";
    let folder = Folder::new().with("t.csv", rows);
    let told = done(&folder, "info t.csv");
    assert_says(&told, "x in \"Rechtswert\", y in \"Hochwert\"");
    let types = told.lines().skip_while(|line| *line != "columns").skip(1);
    let types: Vec<_> = types.map(|line| line[27..].to_owned()).collect();
    assert_eq!(
        types,
        [
            "whole number",
            "whole number",
            "text",
            "number",
            "date",
            "time",
            "true/false"
        ]
    );
}
