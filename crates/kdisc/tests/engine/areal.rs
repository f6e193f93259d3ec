//! The paper's data set on grids of 200 m.

use crate::oracle;

use kdisc::areal::{Edges, Grid, Tally};
use oracle::enterprises;

#[test]
fn enterprises_on_a_grid_of_200_metres() {
    let Some((points, _)) = enterprises::load() else {
        return;
    };
    let grid = Grid::square(200.0).unwrap();
    for (edges, cells) in [(Edges::SouthWest, 1431), (Edges::NorthWest, 1438)] {
        let tally = Tally::new(&points, None, &grid.with_edges(edges)).unwrap();
        assert_eq!(tally.cells().len(), cells);
        assert_eq!(tally.counts().iter().sum::<u64>(), 8348);
    }
}
