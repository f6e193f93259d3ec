//! One datum under its many names.
//!
//! EPSG's WKT1, present EPSG data and ESRI each have their own. A description without codes names its
//! datum and nothing else tells which one is meant: ellipsoids are shared by dozens. So names are
//! the same only when they are equal but for separators, or when this list says so. A datum that is
//! not in it stays without a code, which is better than a wrong one.

use super::method::plain;

/// Whether two names stand for the same datum.
pub(super) fn same_datum(a: &str, b: &str) -> bool {
    canonical(a) == canonical(b)
}

fn canonical(name: &str) -> String {
    let name = plain(name.strip_prefix("D_").unwrap_or(name));
    let name = name.strip_suffix("ensemble").unwrap_or(&name);
    DATUMS
        .iter()
        .find(|(_, others)| others.contains(&name))
        .map_or(name, |(canonical, _)| canonical)
        .to_owned()
}

/// As in EPSG's WKT1, and otherwise.
const DATUMS: &[(&str, &[&str])] = &[
    ("geodeticdatumof1965", &["tm75"]),
    ("latvia1992", &["latviangeodeticcoordinatesystem1992"]),
    ("luxembourg1930", &["luxembourgreferenceframe"]),
    ("australiangeodeticdatum1966", &["australian1966"]),
    ("australiangeodeticdatum1984", &["australian1984"]),
    ("china2000", &["chinageodeticcoordinatesystem2000"]),
    ("europeandatum1950", &["european1950", "ed50"]),
    (
        "europeanterrestrialreferencesystem1989",
        &["etrs1989", "etrs89"],
    ),
    ("geocentricdatumofaustralia1994", &["gda1994"]),
    ("geocentricdatumofaustralia2020", &["gda2020"]),
    (
        "geocentricdatumofkorea",
        &["koreageodeticdatum2002", "koreangeodeticdatum2002"],
    ),
    ("geodeticdatumofmalaysia2000", &["gdm2000"]),
    ("greekgeodeticreferencesystem1987", &["ggrs1987"]),
    ("hartebeesthoek94", &["hartebeesthoek1994"]),
    ("hungariandatum1972", &["hungarian1972"]),
    ("indonesiandatum1974", &["indonesian1974"]),
    ("istitutogeograficomilitaire1995", &["igm1995"]),
    ("japanesegeodeticdatum2000", &["jgd2000"]),
    ("japanesegeodeticdatum2011", &["jgd2011"]),
    ("kartastokoordinaattijarjestelma1966", &["kkj"]),
    ("kertau1968", &["kertau"]),
    ("lisbon1937", &["lisbon"]),
    ("marcogeocentriconacionaldereferencia", &["magna"]),
    ("mexicoitrf92", &["mexicandatumof1993"]),
    (
        "militargeographischeinstitute",
        &["mgi", "militargeographischeinstitut"],
    ),
    (
        "nad83canadianspatialreferencesystem",
        &["northamerican1983csrs"],
    ),
    (
        "nad83continuouslyoperatingreferencestation1996",
        &["nad1983cors96"],
    ),
    (
        "nad83highaccuracyreferencenetwork",
        &["northamerican1983harn"],
    ),
    (
        "nad83nationalspatialreferencesystem2007",
        &["nad1983nsrs2007"],
    ),
    (
        "nad83nationalspatialreferencesystem2011",
        &["nad19832011", "nad1983nsrs2011"],
    ),
    ("nad83nationalspatialreferencesystempa11", &["nad1983pa11"]),
    ("newzealandgeodeticdatum1949", &["newzealand1949"]),
    ("newzealandgeodeticdatum2000", &["nzgd2000"]),
    ("northamericandatum1927", &["northamerican1927", "nad27"]),
    ("northamericandatum1983", &["northamerican1983", "nad83"]),
    ("nouvelletriangulationfrancaise", &["ntf"]),
    ("nouvelletriangulationfrancaiseparis", &["ntfparis"]),
    ("osgb1936", &["ordnancesurveyofgreatbritain1936", "osgb36"]),
    ("posicionesgeodesicasargentinas1994", &["posgar1994"]),
    ("posicionesgeodesicasargentinas1998", &["posgar1998"]),
    ("posicionesgeodesicasargentinas2007", &["posgar2007"]),
    ("potsdamdatum83", &["potsdam1983"]),
    (
        "provisionalsouthamericandatum1956",
        &["provisionalsamerican1956"],
    ),
    ("pulkovo194258", &["pulkovo1942adj1958"]),
    ("pulkovo194283", &["pulkovo1942adj1983"]),
    ("rauenbergdatum83", &["rauenberg1983"]),
    ("reseaugeodesiquedelareunion1992", &["rgr1992"]),
    (
        "reseaugeodesiquefrancais1993",
        &["rgf1993", "reseaugeodesiquefrancais1993v1"],
    ),
    ("reseaugeodesiquefrancaisguyane1995", &["rgfg1995"]),
    ("reseaunationalbelge1972", &["belge1972"]),
    ("riketskoordinatsystem1990", &["rt1990"]),
    (
        "sistemadereferenciageocentricoparaamericadelsur1995",
        &["sirgas"],
    ),
    (
        "sistemadereferenciageocentricoparalasamericas2000",
        &["sirgas2000"],
    ),
    ("southamericandatum1969", &["southamerican1969"]),
    (
        "systemjednotnetrigonometrickesitekatastralni",
        &["sjtsk", "systemoftheunifiedtrigonometricalcadastralnetwork"],
    ),
    ("taiwandatum1967", &["twd1967"]),
    ("taiwandatum1997", &["twd1997"]),
    ("wgs1972transitbroadcastephemeris", &["wgs1972be"]),
    ("wgs1984", &["worldgeodeticsystem1984", "wgs84"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datums_under_their_many_names() {
        assert!(same_datum("D_WGS_1984", "World Geodetic System 1984"));
        assert!(same_datum(
            "WGS_1984",
            "World Geodetic System 1984 ensemble"
        ));
        assert!(same_datum(
            "D_ETRS_1989",
            "European_Terrestrial_Reference_System_1989"
        ));
        assert!(same_datum("D_CH1903+", "CH1903+"));
        assert!(!same_datum("CH1903+", "CH1903"));
        assert!(!same_datum("D_Amersfoort", "DHDN"));
    }
}
