//! What the header says.

use super::Type;
use super::table::{Table, Wrong};

/// Levels and nodes of an index, at most as many as the features twice over.
const NODE: u64 = 40;

/// A header, taken apart.
#[derive(Debug, Clone)]
pub(super) struct Header {
    pub name: String,
    pub description: Option<String>,
    /// 0 if each geometry says itself.
    pub kind: u8,
    pub columns: Vec<(String, Type)>,
    /// `None` if it is not known.
    pub features: Option<u64>,
    /// Features in a node of the index; 0 if there is no index.
    pub node: u16,
    pub crs: System,
}

/// What the header says of the coordinate system.
#[derive(Debug, Clone, Default)]
pub(super) struct System {
    pub org: Option<String>,
    pub code: Option<u32>,
    pub code_text: Option<String>,
    pub wkt: Option<String>,
}

impl Header {
    pub fn read(bytes: &[u8]) -> Result<Self, Wrong> {
        let table = Table::root(bytes)?;
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let mut columns = Vec::new();
        // Many columns may share one name's bytes, but not all of our memory.
        let mut budget = bytes.len();
        for column in table.tables(7)? {
            let column = column?;
            let name = column.text(0)?.ok_or("a column has no name")?;
            budget = budget.checked_sub(name.len()).ok_or("the names overlap")?;
            let kind = Type::ALL.get(usize::from(column.byte(1)?));
            let kind = kind.ok_or("a column is of an unknown type")?;
            columns.push((name.to_owned(), *kind));
        }
        if columns.len() > usize::from(u16::MAX) {
            return Err("it has more than 65535 columns");
        }
        let features = table.fixed(8)?.map_or(0, u64::from_le_bytes);
        let crs = match table.table(10)? {
            None => System::default(),
            Some(crs) => System {
                org: owned(crs.text(0)?),
                code: crs.fixed(1)?.map_or(0, i32::from_le_bytes).try_into().ok(),
                wkt: owned(crs.text(4)?),
                code_text: owned(crs.text(5)?),
            },
        };
        Ok(Self {
            name: table.text(0)?.unwrap_or_default().to_owned(),
            description: owned(table.text(12)?),
            kind: table.byte(2)?,
            columns,
            features: Some(features).filter(|count| *count > 0),
            node: table.fixed(9)?.map_or(16, u16::from_le_bytes),
            crs,
        })
    }

    /// The bytes of the index, if `left` bytes can hold one.
    pub fn index(&self, left: u64) -> Result<u64, Wrong> {
        let Some(features) = self.features.filter(|_| self.node > 0) else {
            return Ok(0);
        };
        let node = u64::from(self.node.max(2));
        let mut level = features;
        let mut nodes = features;
        if features > left / NODE {
            return Err("it ends within the index");
        }
        loop {
            level = level.div_ceil(node);
            nodes += level;
            if level == 1 {
                break;
            }
        }
        if nodes > left / NODE {
            return Err("it ends within the index");
        }
        Ok(nodes * NODE)
    }
}
