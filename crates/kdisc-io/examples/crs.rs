//! Shows what kdisc makes of coordinate systems; the tests against PROJ drive it.
//!
//! ```text
//! crs transform FROM TO < LINES     x y per line, from one system to another; "-" for no image
//! crs ground CRS COMPUTE < LINES    x y per line to metres and back; COMPUTE can be "-" for none;
//!                                   before them scale error, tab, system of the computation
//! crs identify FILE...              per file of WKT or PROJJSON: code, tab, PROJ string used
//! crs projjson SYSTEM...            per system its PROJJSON, "-" for none
//! crs wkt SYSTEM...                 per system its WKT, "-" for none
//! ```

use std::error::Error;
use std::io::{self, BufRead as _, BufWriter, Write as _};

use kdisc::Point;
use kdisc_io::crs::{Crs, Extent, Ground, Transformation};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let Err(error) = run(&arguments) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(io::stdout().lock());
    match arguments {
        ["transform", from, to] => {
            let transformation = Transformation::new(&Crs::parse(from)?, &Crs::parse(to)?)?;
            for point in points()? {
                match transformation.apply(point) {
                    Ok(Point { x, y }) => writeln!(out, "{x} {y}")?,
                    Err(_) => writeln!(out, "-")?,
                }
            }
        }
        ["ground", crs, compute] => {
            let mut points = points()?;
            let compute = (*compute != "-").then(|| Crs::parse(compute)).transpose()?;
            let crs = Crs::parse(crs)?;
            let extent = Extent::new(Some(&crs), &points).ok_or("no points")?;
            let ground = Ground::new(Some(&crs), compute.as_ref(), &extent)?;
            tell(&mut out, &ground)?;
            ground.to_metres(&mut points)?;
            for point in points {
                let back = ground.from_metres(point);
                writeln!(out, "{} {} {} {}", point.x, point.y, back.x, back.y)?;
            }
        }
        ["identify", files @ ..] => {
            for file in files {
                let crs = Crs::parse(&std::fs::read_to_string(file)?)?;
                let code = crs.epsg().map_or("-".to_owned(), |code| code.to_string());
                writeln!(out, "{code}\t{}", crs.proj_string())?;
            }
        }
        ["projjson", systems @ ..] => {
            for system in systems {
                match Crs::parse(system)?.projjson() {
                    Some(json) => writeln!(out, "{json}")?,
                    None => writeln!(out, "-")?,
                }
            }
        }
        ["wkt", systems @ ..] => {
            for system in systems {
                let wkt = Crs::parse(system)?.wkt();
                writeln!(out, "{}", wkt.as_deref().unwrap_or("-"))?;
            }
        }
        _ => return Err("usage: see the head of examples/crs.rs".into()),
    }
    Ok(out.flush()?)
}

fn tell(out: &mut impl io::Write, ground: &Ground) -> Result<(), Box<dyn Error>> {
    let error = ground.scale_error().ok_or("no scale error")?;
    Ok(writeln!(out, "{error}\t{}", ground.system())?)
}

fn points() -> Result<Vec<Point>, Box<dyn Error>> {
    let mut points = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (x, y) = line.split_once(' ').ok_or("expected x y")?;
        points.push(Point::new(x.parse()?, y.parse()?));
    }
    Ok(points)
}
