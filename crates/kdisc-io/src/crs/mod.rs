//! Placeholder for the coordinate systems being built on another branch.
use thiserror::Error;
#[derive(Debug, Clone, PartialEq)]
pub struct Crs {
    code: u32,
}
impl Crs {
    pub fn wgs84() -> Self {
        Self { code: 4326 }
    }
    pub fn from_epsg(code: u32) -> Result<Self, CrsError> {
        Ok(Self { code })
    }
    pub fn parse(_text: &str) -> Result<Self, CrsError> {
        Err(CrsError::Unknown)
    }
    pub fn from_wkt(_wkt: &str) -> Result<Self, CrsError> {
        Err(CrsError::Unknown)
    }
    pub fn from_projjson(_json: &serde_json::Value) -> Result<Self, CrsError> {
        Err(CrsError::Unknown)
    }
    pub fn name(&self) -> &str {
        ""
    }
    pub fn epsg(&self) -> Option<u32> {
        Some(self.code)
    }
    pub fn is_geographic(&self) -> bool {
        false
    }
    pub fn wkt(&self) -> Option<String> {
        None
    }
    pub fn projjson(&self) -> Option<serde_json::Value> {
        None
    }
}
#[derive(Debug, Error)]
pub enum CrsError {
    #[error("unknown")]
    Unknown,
}
