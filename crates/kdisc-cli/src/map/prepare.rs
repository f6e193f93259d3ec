//! From files to a population, and to what is drawn around it.

use kdisc::{Point, Population};
use kdisc_io::crs::{Crs, Ground};
use kdisc_report::shapes::Shapes;

use super::context::ContextLayer;
use super::panels::{PanelPlan, Subject};
use super::plan::Plan;
use crate::areal::prepare::refuse_degrees;
use crate::args::Highlight;
use crate::failure::Refusal;
use crate::register::{InputFacts, Register, same_system};
use crate::zoom::levels;
use crate::zoom::plan::Map as Levelled;

/// Everything that the panels need.
pub struct Prepared {
    /// The units, in metres.
    pub register: Register,
    pub ground: Ground,
    pub population: Population,
    /// Where the rows are on a web map, if that is needed.
    pub world: Option<Vec<Point>>,
    /// Places to be marked, in metres.
    pub marked: Vec<Point>,
    pub under: Option<ContextLayer>,
    pub over: Option<ContextLayer>,
    /// The file of the places.
    pub places: Option<InputFacts>,
    pub warnings: Vec<String>,
}

impl Prepared {
    pub fn read(plan: &Plan) -> anyhow::Result<Self> {
        let hashed = plan.run.summary.is_some();
        let mut warnings = Vec::new();
        let mut register = Register::read(&plan.intake)?;
        let mut places = plan.places.as_ref().map(Register::read).transpose()?;
        if let Some(places) = &mut places {
            same_system(&mut register, places)?;
        }
        let context = |context: &Option<_>| {
            let read = |context| ContextLayer::read(context, hashed, &plan.run.audience);
            context.as_ref().map(read).transpose()
        };
        let (mut under, mut over) = (context(&plan.under)?, context(&plan.over)?);
        if plan.public.is_some() {
            refuse_points(under.as_ref(), "--under")?;
            refuse_points(over.as_ref(), "--over")?;
        }
        // Cells of a plane that is fitted to the data would tell where their middle is, and so how far
        // away the furthest are.
        if plan.public.is_some() || plan.panels.iter().any(PanelPlan::is_of_grid) {
            refuse_degrees(&plan.intake, &register)?;
        }
        let is_web = plan.panels.iter().any(|panel| {
            matches!(
                &panel.subject,
                Subject::Level {
                    map: Levelled::Web { .. },
                    ..
                }
            )
        });
        // On a web map the coordinates of the input are needed, which then go to the ground.
        let world = if is_web {
            Some(levels::world(&register)?)
        } else {
            None
        };
        let system: Option<Crs> = register.table.crs.clone();
        let ground = register.project(plan.intake.compute_crs.as_ref(), &mut warnings)?;
        let population = register.population(&plan.intake)?;
        for layer in [&mut under, &mut over].into_iter().flatten() {
            layer.project(system.as_ref(), &ground)?;
        }
        let mut marked = Vec::new();
        if let Some(Highlight::At(at)) = &plan.highlight {
            marked.clone_from(at);
            ground.to_metres(&mut marked).map_err(|wrong| {
                let Point { x, y } = at[wrong.index];
                Refusal::new(
                    format!("--highlight {x},{y}: {}", wrong.problem),
                    "give coordinates in the system of the input",
                )
            })?;
        }
        if let Some(places) = &mut places {
            places.project(ground.compute_crs(), &mut warnings)?;
            marked = std::mem::take(&mut places.units.points);
        }
        if hashed {
            register.hash()?;
            if let Some(places) = &mut places {
                places.hash()?;
            }
        }
        Ok(Self {
            register,
            ground,
            population,
            world,
            marked,
            under,
            over,
            places: places.map(|places| places.facts),
            warnings,
        })
    }

    /// What a summary says of all inputs, in the order of `kdisc verify`.
    pub fn inputs(&self) -> Vec<&InputFacts> {
        let layers = [&self.under, &self.over].into_iter().flatten();
        let layers = layers.map(|layer| &layer.facts);
        std::iter::once(&self.register.facts)
            .chain(&self.places)
            .chain(layers)
            .collect()
    }
}

/// Points of another file could be the very units.
fn refuse_points(layer: Option<&ContextLayer>, option: &str) -> Result<(), Refusal> {
    let Some(ContextLayer {
        shapes: Shapes { points, .. },
        facts,
        ..
    }) = layer
    else {
        return Ok(());
    };
    if points.is_empty() {
        return Ok(());
    }
    Err(Refusal::new(
        format!(
            "{}: it has points, and a map for publication shows no locations",
            facts.source
        ),
        format!("give lines or polygons to {option}, or leave out --public"),
    ))
}
