//! A report as one HTML file: sections of text, tables, charts, pictures and a map to explore.
//!
//! The file stands alone. It asks for nothing from anywhere, and its own policy says so: no script
//! runs but the one it carries, and nothing is loaded but what is written in it. Everything can be
//! read without scripts, which only add sorting, hovering and the map that can be moved.

mod axis;
mod chart;
mod explorer;
mod table;
mod text;

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub use chart::{Chart, Limit, Scale, Series};
pub use explorer::Explorer;
pub use table::{Cell, Table};
pub use text::{marked, quoted};

const STYLE: &str = include_str!("../../page/style.css");
const SCRIPT: &str = include_str!("../../page/script.js");

/// A report.
#[derive(Debug)]
pub struct Page {
    /// What it is about.
    pub title: String,
    /// A line below the title.
    pub subtitle: String,
    /// What nobody may overlook, such as how to keep the file.
    pub notice: Notice,
    /// Who made the file.
    pub creator: String,
    /// What people came for.
    pub verdict: Verdict,
    /// The rest, in order.
    pub sections: Vec<Section>,
}

/// How a report is to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// It gives units away.
    Confidential(String),
    /// It was made for publication.
    Public(String),
}

/// Whether all is well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Safe.
    Good,
    /// Not safe.
    Bad,
    /// Nobody said what safe is.
    Open,
}

/// What people came for.
#[derive(Debug)]
pub struct Verdict {
    /// Whether all is well.
    pub tone: Tone,
    /// In a word or two.
    pub headline: String,
    /// In sentences, as [`marked`] text.
    pub sentences: Vec<String>,
    /// Limits, and what exceeds them.
    pub table: Option<Table>,
}

/// A part of a report.
#[derive(Debug)]
pub struct Section {
    /// What links call it.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// What is in it.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Debug)]
pub enum Block {
    /// A paragraph of [`marked`] text.
    Text(String),
    /// A command that can be typed.
    Command(String),
    /// Names and what there is to say of each, as [`marked`] text.
    Facts(Vec<(String, String)>),
    /// Terms and what they mean, which [`marked`] text links to.
    Glossary(Vec<(&'static str, &'static str)>),
    /// A table.
    Table(Table),
    /// Charts beside each other, where there is room.
    Charts(Vec<Chart>),
    /// A picture.
    Picture(Picture),
    /// A map to explore.
    Explorer(Box<Explorer>),
}

/// A drawing for light and for dark pages, wide and narrow.
#[derive(Debug)]
pub struct Picture {
    /// What there is to see, for those who do not.
    pub alt: String,
    /// SVG on light and on dark ground, for a desk.
    pub wide: [String; 2],
    /// SVG on light and on dark ground, for a phone.
    pub narrow: [String; 2],
}

impl Page {
    /// The report as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let (kind, notice) = match &self.notice {
            Notice::Confidential(notice) => ("confidential", notice),
            Notice::Public(notice) => ("public", notice),
        };
        let title = quoted(&self.title);
        writeln!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
        )?;
        writeln!(
            out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
             base-uri 'none'; form-action 'none'\">"
        )?;
        writeln!(
            out,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"robots\" content=\"noindex\">\n\
             <meta name=\"generator\" content=\"{}\">\n\
             <meta name=\"classification\" content=\"{kind}\">\n\
             <meta name=\"description\" content=\"{}\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>",
            quoted(&self.creator),
            quoted(notice)
        )?;
        writeln!(
            out,
            "<a class=\"skip\" href=\"#verdict\">To the verdict</a>"
        )?;
        writeln!(
            out,
            "<header>\n<p class=\"notice {kind}\">{}</p>\n<h1>{title}</h1>\n<p class=\"subtitle\">{}</p>\n</header>",
            quoted(notice),
            marked(&self.subtitle)
        )?;
        writeln!(out, "<nav aria-label=\"Contents\"><ul>")?;
        writeln!(out, "<li><a href=\"#verdict\">Verdict</a></li>")?;
        for Section { id, title, .. } in &self.sections {
            writeln!(out, "<li><a href=\"#{id}\">{}</a></li>", quoted(title))?;
        }
        writeln!(out, "</ul></nav>\n<main>")?;
        self.verdict.write(out)?;
        for section in &self.sections {
            section.write(out)?;
        }
        writeln!(
            out,
            "</main>\n<footer><p>{}</p></footer>",
            quoted(&self.creator)
        )?;
        writeln!(
            out,
            "<div id=\"tip\" role=\"status\" aria-live=\"polite\" hidden></div>"
        )?;
        writeln!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>")
    }
}

impl Verdict {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let (class, sign) = match self.tone {
            Tone::Good => ("good", "✓"),
            Tone::Bad => ("bad", "✕"),
            Tone::Open => ("open", "–"),
        };
        writeln!(
            out,
            "<section id=\"verdict\" class=\"verdict {class}\" aria-labelledby=\"verdict-title\">\n\
             <h2 id=\"verdict-title\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span> {}</h2>",
            quoted(&self.headline)
        )?;
        for sentence in &self.sentences {
            writeln!(out, "<p>{}</p>", marked(sentence))?;
        }
        if let Some(table) = &self.table {
            table.write(out)?;
        }
        writeln!(out, "</section>")
    }
}

impl Section {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let id = self.id;
        let title = quoted(&self.title);
        writeln!(
            out,
            "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>"
        )?;
        for block in &self.blocks {
            block.write(out)?;
        }
        writeln!(out, "</section>")
    }
}

impl Block {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        match self {
            Self::Text(text) => writeln!(out, "<p>{}</p>", marked(text)),
            Self::Command(command) => writeln!(
                out,
                "<pre class=\"command\"><code>{}</code></pre>",
                quoted(command)
            ),
            Self::Facts(facts) => {
                writeln!(out, "<dl class=\"facts\">")?;
                for (name, fact) in facts {
                    writeln!(
                        out,
                        "<div><dt>{}</dt><dd>{}</dd></div>",
                        quoted(name),
                        marked(fact)
                    )?;
                }
                writeln!(out, "</dl>")
            }
            Self::Glossary(terms) => {
                writeln!(out, "<dl class=\"glossary\">")?;
                for (term, meaning) in terms {
                    writeln!(
                        out,
                        "<dt id=\"{}\">{}</dt><dd>{}</dd>",
                        text::anchor(term),
                        quoted(term),
                        marked(meaning)
                    )?;
                }
                writeln!(out, "</dl>")
            }
            Self::Table(table) => table.write(out),
            Self::Charts(charts) => {
                writeln!(out, "<div class=\"charts\">")?;
                for chart in charts {
                    chart.write(out)?;
                }
                writeln!(out, "</div>")
            }
            Self::Picture(picture) => picture.write(out),
            Self::Explorer(explorer) => explorer.write(out),
        }
    }
}

impl Picture {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let uri = |svg: &String| format!("data:image/svg+xml;base64,{}", STANDARD.encode(svg));
        let [wide_light, wide_dark] = &self.wide;
        let [narrow_light, narrow_dark] = &self.narrow;
        let sources = [
            (
                "screen and (max-width: 40rem) and (prefers-color-scheme: dark)",
                narrow_dark,
            ),
            ("screen and (max-width: 40rem)", narrow_light),
            ("screen and (prefers-color-scheme: dark)", wide_dark),
        ];
        writeln!(out, "<figure class=\"picture\"><picture>")?;
        for (media, svg) in sources {
            writeln!(out, "<source media=\"{media}\" srcset=\"{}\">", uri(svg))?;
        }
        writeln!(
            out,
            "<img alt=\"{}\" src=\"{}\">\n</picture></figure>",
            quoted(&self.alt),
            uri(wide_light)
        )
    }
}
