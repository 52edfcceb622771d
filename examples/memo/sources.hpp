/// @file
/// The files that a memo is made from, cut into passages. A citation names a file and a line.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <resumable/source_file.hpp>

#include "memo/types.hpp"
#include "text/index.hpp"
#include "text/passages.hpp"

namespace memo {

using Sources = std::vector<text::Document>;  ///< in order of their paths

/// The sources cannot be used; the message says which file, why, and what to do.
class SourceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether a memo reads files of this name: those of text/passages.hpp, but no README or licence.
bool is_source(const std::filesystem::path& file);

/// The sources among these files; each is proved to be what the run began with. Read once in a
/// process, for all sections that need them. @throws SourceError
std::shared_ptr<const Sources> read_sources(const std::vector<resumable::SourceFile>& files);

/// Reads a folder, to find what is wrong with it before a run begins. @throws SourceError
Sources load_sources(const std::filesystem::path& folder);

/// The files below `folder` that are not read, in order of their names.
std::vector<std::string> unread_files(const std::filesystem::path& folder);

/// The pitch decks by their names; where there is none, the files without a date in their names.
std::vector<std::string> default_deck(const Sources& sources);

/// Those of `files`. @throws SourceError naming one that is not there
Sources only(const Sources& sources, const std::vector<std::string>& files);

/// Finds the passages for questions.
class Library {
 public:
  explicit Library(const Sources& sources);

  /// The best passages for the words of `question`, without those of the company's name.
  [[nodiscard]] std::vector<Quote> best(const std::string& question, const std::string& company,
                                        std::size_t most) const;

 private:
  std::vector<text::Passage> passages_;
  text::PassageIndex index_;
};

/// What a citation `file:line` leads to: the passages on that line of a source, or a quote that a
/// person wrote; nullopt if there is no such place.
std::optional<std::vector<text::Passage>> passages_at(const std::string& citation,
                                                      const Sources& sources,
                                                      const std::vector<Brief>& briefs);

}  // namespace memo
