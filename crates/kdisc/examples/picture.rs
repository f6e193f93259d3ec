//! Draws the picture of the README: the built-in example, each location coloured by the radius of
//! its smallest disc of ten units, and a few of those discs.
//!
//! Usage: `cargo run --release --example picture > docs/town.svg`

use std::error::Error;

use kdisc::example::{SEED, UNITS, town};
use kdisc::{Anonymity, Disc, Measure, Point, Population};

/// The window on the example: its middle, and its size in pixels of this many metres.
const MIDDLE: Point = Point::new(148_000.0, 441_000.0);
const SIZE: (f64, f64) = (1280.0, 800.0);
const METRES: f64 = 9.0;

/// The legend, in pixels: its distance from the left and from the bottom, its width and height.
const LEGEND: (f64, f64, f64, f64) = (20.0, 20.0, 330.0, 236.0);

/// The mark round a location whose disc is drawn.
const RING: &str = "r='4.5' fill='none' stroke='#222' stroke-width='1.6'";

/// Upper bounds of the radius, in metres, and the colour up to there.
const CLASSES: [(f64, &str); 6] = [
    (20.0, "#3b4cc0"),
    (40.0, "#2f8fbf"),
    (80.0, "#33a56f"),
    (160.0, "#d8a71f"),
    (320.0, "#e5703a"),
    (f64::INFINITY, "#b5173c"),
];

/// Discs are drawn for locations at these quantiles of the radius.
const DRAWN: [f64; 9] = [0.55, 0.7, 0.8, 0.86, 0.9, 0.94, 0.97, 0.985, 0.997];

fn main() -> Result<(), Box<dyn Error>> {
    let points: Vec<Point> = town(UNITS, SEED)
        .iter()
        .map(|e| Point::new(e.x, e.y))
        .collect();
    let population = Population::new(&points)?;
    let anonymity = Anonymity::new(10)?;
    let discs = Measure::new(&population, anonymity).all()?;
    let mut measured: Vec<(Point, Disc)> = population
        .locations()
        .iter()
        .copied()
        .zip(discs.into_iter().flatten())
        .collect();
    measured.sort_by(|a, b| a.1.radius.total_cmp(&b.1.radius));

    let (width, height) = SIZE;
    println!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' \
         font-family='Helvetica, Arial, sans-serif' font-size='15' fill='#333'>"
    );
    println!("<title>The built-in example of kdisc: made-up enterprises, no real ones</title>");
    println!("<rect width='{width}' height='{height}' fill='#fcfbf8'/>");
    let drawn = chosen(&measured);
    for (_, disc) in &drawn {
        let (x, y) = pixel(disc.center);
        let (r, colour) = (disc.radius / METRES, colour(disc.radius));
        println!(
            "<circle cx='{x:.1}' cy='{y:.1}' r='{r:.1}' fill='{colour}' fill-opacity='.13' \
             stroke='{colour}' stroke-width='1.4'/>"
        );
    }
    dots(&measured);
    for (place, disc) in &drawn {
        let (x, y) = pixel(*place);
        println!("<circle cx='{x:.1}' cy='{y:.1}' {RING}/>");
        label(disc);
    }
    legend();
    println!("</svg>");
    Ok(())
}

/// Locations at the wanted quantiles, or the next ones, whose discs are in the window and apart.
fn chosen(measured: &[(Point, Disc)]) -> Vec<(Point, Disc)> {
    let mut chosen: Vec<(Point, Disc)> = Vec::new();
    for quantile in DRAWN.iter().rev() {
        let start = (quantile * measured.len() as f64) as usize;
        let fits = |candidate: &&(Point, Disc)| {
            let disc = candidate.1;
            let (x, y) = pixel(disc.center);
            let r = disc.radius / METRES;
            let inside = x > r + 20.0
                && x < SIZE.0 - r - 110.0
                && y > r + 20.0
                && y < SIZE.1 - r - 20.0
                && !(x - r < LEGEND.0 + LEGEND.2 + 20.0
                    && y + r > SIZE.1 - LEGEND.1 - LEGEND.3 - 20.0);
            inside
                && chosen.iter().all(|(_, other)| {
                    distance(disc.center, other.center) > disc.radius + other.radius + 70.0 * METRES
                })
        };
        let found = measured[start..].iter().find(fits).copied();
        chosen.extend(found);
    }
    chosen
}

/// All locations, one path per colour: a line of no length with round ends is a dot.
fn dots(measured: &[(Point, Disc)]) {
    for (_, colour_of_class) in CLASSES {
        print!("<path stroke='{colour_of_class}' stroke-width='2.8' stroke-linecap='round' d='");
        for (place, disc) in measured {
            let (x, y) = pixel(*place);
            let visible = (0.0..SIZE.0).contains(&x) && (0.0..SIZE.1).contains(&y);
            if visible && colour(disc.radius) == colour_of_class {
                print!("M{x:.1} {y:.1}h0");
            }
        }
        println!("'/>");
    }
}

fn label(disc: &Disc) {
    let (x, y) = pixel(disc.center);
    // Clear of a ring on the circle.
    let (x, y) = (x + disc.radius / METRES + 10.0, y + 5.0);
    println!(
        "<text x='{x:.1}' y='{y:.1}' font-weight='600' stroke='#fcfbf8' stroke-width='4' \
         paint-order='stroke'>{:.0} m</text>",
        disc.radius
    );
}

/// What the colours, rings and lengths mean, on a plate of its own that hides the map below it.
fn legend() {
    let (left, top) = (LEGEND.0, SIZE.1 - LEGEND.1 - LEGEND.3);
    println!(
        "<rect x='{left}' y='{top}' width='{}' height='{}' rx='8' fill='#fcfbf8' stroke='#ddd'/>",
        LEGEND.2, LEGEND.3
    );
    let (mark, text) = (left + 24.0, left + 40.0);
    let mut y = top + 26.0;
    println!(
        "<text x='{}' y='{y}' font-weight='600'>Smallest disc with ten enterprises</text>",
        left + 16.0
    );
    let mut row = |shape: &str, words: &str| {
        y += 24.0;
        println!(
            "<circle cx='{mark}' cy='{}' {shape}/><text x='{text}' y='{y}'>{words}</text>",
            y - 5.0
        );
    };
    let mut low = 0.0;
    for (high, colour) in CLASSES {
        let words = if high.is_finite() {
            format!("radius {low:.0} to {high:.0} m")
        } else {
            format!("over {low:.0} m: easily picked out")
        };
        row(&format!("r='6' fill='{colour}'"), &words);
        low = high;
    }
    row(RING, "an enterprise whose disc is drawn");
    let (x, y, length) = (left + 18.0, y + 24.0, 1000.0 / METRES);
    println!("<path d='M{x} {y}h{length:.1}' stroke='#333' stroke-width='2'/>");
    println!(
        "<text x='{:.1}' y='{}'>1 km</text>",
        x + length + 8.0,
        y + 5.0
    );
}

fn colour(radius: f64) -> &'static str {
    CLASSES
        .iter()
        .find(|(high, _)| radius <= *high)
        .map_or("black", |(_, colour)| colour)
}

fn pixel(place: Point) -> (f64, f64) {
    (
        SIZE.0 / 2.0 + (place.x - MIDDLE.x) / METRES,
        SIZE.1 / 2.0 - (place.y - MIDDLE.y) / METRES,
    )
}

fn distance(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}
