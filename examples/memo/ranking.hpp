/// @file
/// The sentences of the sources and the rows of their tables, as passages that a memo may state.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "memo/markdown.hpp"
#include "memo/source.hpp"
#include "memo/stemming.hpp"

namespace memo {

struct Table;

/// A sentence that stands alone, or it and the one that follows on, or a person and what is said of
/// them, and where it is from.
struct Passage {
  std::string source;
  std::string heading;
  std::string text;
  std::size_t lead = 0;   ///< bytes of the first sentence if there are more, else 0
  std::size_t order = 0;  ///< counts through all sources
  std::string owner;      ///< somebody else by name who has what it tells of: `Brot has lost its`
  bool of_rival = false;  ///< speaks of a competitor
  bool outside = false;   ///< said by people outside the company, and not of it
  bool refused = false;   ///< of what was proposed and is not to be
};

/// Sources as passages. Immutable: safe to share between threads.
class Corpus {
 public:
  /// Without a company nobody is told from it.
  explicit Corpus(const Sources& sources, std::string_view company = {});

  /// Whether `quote` is in the source at `path`, word for word (white space and markup aside).
  bool holds(std::string_view path, std::string_view quote) const;

  /// The first source that holds `quote`, the one at `preferred` if it does; empty if none does.
  std::string source_of(std::string_view quote, std::string_view preferred = {}) const;

  /// The heading above a passage; empty if there is none, or no such passage.
  std::string heading_of(std::string_view path, std::string_view text) const;

  /// The plain words of a source; empty if there is none at `path`.
  std::string_view body(std::string_view path) const;

  /// When a source was written, as date_of() tells; empty if that is not known.
  std::string_view date(std::string_view path) const;

  /// The year in the name of a source without a date, as year_named() tells; else empty.
  std::string_view year(std::string_view path) const;

  /// The dates of two sources, to tell which is the later. The year of one without a date counts
  /// if the other has an earlier one; beside a later date it does not, since what is of 2023 may be
  /// written in 2024.
  std::pair<std::string_view, std::string_view> dates(std::string_view earlier,
                                                      std::string_view later) const;

  /// Per cent: lasting pages before news, newer news before older, a neutral voice before `we`.
  std::int64_t weight(const Passage& passage) const;

  /// The words of a passage and those of its heading. @pre it is one of passages()
  const WordIndex& words(const Passage& passage) const { return indexes_[passage.order].text; }
  const WordIndex& heading_words(const Passage& passage) const {
    return indexes_[passage.order].heading;
  }

  const std::vector<Passage>& passages() const noexcept { return passages_; }

 private:
  struct Indexes {
    WordIndex text;
    WordIndex heading;
  };

  void add(const Source& source);
  void add(const Source& source, const Block& block);
  void add(const Source& source, const Table& table);
  void add_people(const Source& source, const Block& block, const std::vector<std::string>& all);
  void add(Passage passage);

  std::vector<Passage> passages_;
  std::vector<Indexes> indexes_;  // parallel to passages_
  std::map<std::string, std::string, std::less<>> bodies_;
  std::map<std::string, std::string, std::less<>> dates_;
  std::map<std::string, std::string, std::less<>> years_;  ///< in names, of sources without a date
  int newest_year_ = 0;
};

}  // namespace memo
