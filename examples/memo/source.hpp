/// @file
/// The documents a memo is made from. A source is text under a path; everything that a memo says
/// refers to one of them by that path, which is relative to the sources folder and stable.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace memo {

struct Source {
  std::string path;   ///< relative, with '/' on every system: `profile/pricing.yml`
  std::string title;  ///< the first `# ` line, else the file's name in words
  /// UTF-8, as in the file; of a PDF, and of a plain text that is a deck or has several pages, as
  /// Markdown.
  std::string text;

  bool operator==(const Source&) const = default;
};

using Sources = std::vector<Source>;  ///< in order of their paths

/// The sources cannot be used; the message says which file, why, and what to do.
class SourceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes a source of a file's content.
/// @throws SourceError  the text is not UTF-8, or the YAML, CSV or PDF cannot be read
Source make_source(std::string path, std::string content);

/// Whether a memo reads files of this name: .md, .txt, .yml, .yaml, .csv and .pdf, but no notes on
/// their folder (text/folder_notes.hpp).
bool is_source(const std::filesystem::path& path);

/// The other files below `folder`, but no notes on it, in order of their names.
std::vector<std::string> unread_files(const std::filesystem::path& folder);

/// Reads every source below `folder`, in order of paths.
/// @throws SourceError  no such folder, none found in it, one unreadable or not UTF-8
Sources load_sources(const std::filesystem::path& folder);

const Source* find_source(const Sources& sources, std::string_view path) noexcept;

/// Whether the file's name says that it is a pitch deck: `deck`, `pitch`, `presentation`,
/// `one-pager`.
bool is_deck(std::string_view path);

/// The pitch decks; where there is none, the pages without a date, which describe the company.
std::vector<std::string> default_deck(const Sources& sources);

/// The sources at `paths`, in that order. @throws SourceError naming a path that does not exist
Sources only(const Sources& sources, const std::vector<std::string>& paths);

/// The date in the name of a file: `2018-01-11` of `news/2018-01-11-outage.md`, `2024-06` of
/// `deck-2024-06.md`, else empty. A year alone is none: `sales-2023.csv` may be of any later day.
std::string date_of(std::string_view path);

/// The only year in the name of a file, before which it was hardly written: `2025` of
/// `prices-2025.csv`; empty for several, and if the name is that of a plan.
std::string year_named(std::string_view path);

/// The date in the name or, if there is none, the last of `last updated 3 May 2024`, else that in
/// one of the first short lines: `Date: 3 May 2024`; else empty.
std::string date_of(const Source& source);

/// All words of a source, a block a line, then its links. Quotes are looked up in this.
std::string body_of(const Source& source);

bool is_csv(const Source& source) noexcept;

/// Whether the whole source is a table: .csv, .yml and .yaml.
bool is_records(const Source& source) noexcept;

void to_json(nlohmann::json& json, const Source& source);
void from_json(const nlohmann::json& json, Source& source);

}  // namespace memo
