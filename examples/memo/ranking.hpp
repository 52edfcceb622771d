/// @file
/// Finds the sentences of the sources that may answer a question. Ranking is BM25 over stems
/// (text/bm25.hpp), so that every machine gives the same order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "memo/markdown.hpp"
#include "memo/source.hpp"
#include "memo/stemming.hpp"
#include "text/bm25.hpp"

namespace memo {

struct Table;

/// A sentence that stands alone, or it and the one that follows on, and where it is from.
struct Passage {
  std::string source;
  std::string heading;
  std::string text;
  std::size_t lead = 0;    ///< bytes of the first sentence if there are two, else 0
  std::size_t order = 0;   ///< counts through all sources
  std::int64_t score = 0;  ///< only comparable within one search
};

struct Search {
  std::string query;
  std::vector<std::string> signs;  ///< passages that hold one of these come first
  std::size_t limit = 12;
};

/// Sources made searchable. Immutable: safe to share between threads.
class Corpus {
 public:
  explicit Corpus(const Sources& sources);

  /// The best passages, best first; equal scores in source order. Those that hold neither a sign
  /// nor a word of the query are left out.
  std::vector<Passage> find(const Search& search) const;

  /// Whether `quote` is in the source at `path`, word for word (white space and markup aside).
  bool holds(std::string_view path, std::string_view quote) const;

  /// The first source that holds `quote`, the one at `preferred` if it does; empty if none does.
  std::string source_of(std::string_view quote, std::string_view preferred = {}) const;

  /// The heading above a passage; empty if there is none, or no such passage.
  std::string heading_of(std::string_view path, std::string_view text) const;

  /// The plain words of a source; empty if there is none at `path`.
  std::string_view body(std::string_view path) const;

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
    WordIndex second;  ///< of the sentence that follows on
  };

  void add(const Source& source);
  void add(const Source& source, const Block& block);
  void add(const Source& source, const Table& table);
  void add(Passage passage);
  std::int64_t score(std::size_t index, const std::vector<std::string>& query) const;
  std::int64_t worth_of_pair(const Passage& passage, const Signs& signs) const;

  std::vector<Passage> passages_;
  ::text::Index index_;           // parallel to passages_
  std::vector<Indexes> indexes_;  // parallel to passages_
  std::map<std::string, std::string, std::less<>> bodies_;
  int newest_year_ = 0;
};

}  // namespace memo
