// The index is not recorded: it is made from the files in milliseconds.
#include "memo/sources.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <mutex>
#include <regex>

namespace memo {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<resumable::SourceFile>;

text::Document read(const std::string& name, const std::string& bytes) {
  try {
    return text::cut(name, bytes);
  } catch (const text::Unreadable& error) {
    throw SourceError{std::string{"source "} + error.what()};
  }
}

void check_not_empty(const Sources& sources) {
  if (std::ranges::any_of(sources, [](const auto& one) { return !one.passages.empty(); })) return;
  throw SourceError{
      "no text is among the sources: memo reads .md, .txt, .csv, .tsv, .yml, .yaml, .html and "
      ".pdf"};
}

/// Whether `path` is a link in `folder` or below.
bool is_within(const fs::path& path, const fs::path& folder) {
  const std::string inner = fs::canonical(path.parent_path()).string() + "/";
  return inner.starts_with(folder.string() + "/");
}

/// Names of regular files below `folder`, with '/', in order; links are followed.
std::vector<std::string> names_in(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  const auto how = fs::directory_options::follow_directory_symlink;
  for (fs::recursive_directory_iterator at{folder, how, error}, end; !error && at != end;
       at.increment(error)) {
    const fs::path& path = at->path();
    if (at->is_regular_file()) names.push_back(path.lexically_relative(folder).generic_string());
    // A link to a folder that it is in has no end.
    if (at->is_symlink() && at->is_directory() && is_within(path, fs::canonical(path))) {
      at.disable_recursion_pending();
    }
  }
  if (error)
    throw SourceError{"the folder " + folder.string() + " cannot be read: " + error.message()};
  std::ranges::sort(names);
  return names;
}

std::vector<text::Passage> passages_of(const Sources& sources) {
  std::vector<text::Passage> all;
  for (const auto& source : sources)
    all.insert(all.end(), source.passages.begin(), source.passages.end());
  return all;
}

/// The passages that begin on this line, or else the last one that begins before it.
std::vector<text::Passage> passages_on(const text::Document& source, int line) {
  int at = 0;
  for (const auto& passage : source.passages) {
    if (passage.line <= line) at = std::max(at, passage.line);
  }
  std::vector<text::Passage> found;
  std::ranges::copy_if(source.passages, std::back_inserter(found),
                       [&](const auto& passage) { return passage.line == at; });
  return found;
}

}  // namespace

bool is_source(const fs::path& file) {
  return text::is_readable(file) && !text::is_folder_note(file);
}

std::shared_ptr<const Sources> read_sources(const Files& files) {
  static std::mutex mutex;
  static std::string known;
  static std::shared_ptr<const Sources> sources;
  const std::scoped_lock lock{mutex};
  std::string key;
  for (const auto& file : files) key += file.path.string() + '\n' + file.digest.hex() + '\n';
  if (sources && key == known) return sources;
  auto fresh = std::make_shared<Sources>();
  for (const auto& file : files) {
    if (is_source(file.name)) fresh->push_back(read(file.name, file.read()));
  }
  check_not_empty(*fresh);
  known = key;
  return sources = std::move(fresh);
}

Sources load_sources(const fs::path& folder) {
  Sources sources;
  for (const auto& name : names_in(folder)) {
    if (!is_source(name)) continue;
    std::ifstream file{folder / name, std::ios::binary};
    if (!file.is_open()) throw SourceError{"source " + name + " cannot be opened"};
    sources.push_back(read(name, {std::istreambuf_iterator<char>{file}, {}}));
  }
  check_not_empty(sources);
  return sources;
}

std::vector<std::string> unread_files(const fs::path& folder) {
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [](const auto& name) {
    return text::is_readable(name) || text::is_folder_note(name);
  });
  return names;
}

std::vector<std::string> default_deck(const Sources& sources) {
  static const std::regex deck{R"((^|.*[^a-z])(deck|pitch|presentation|one-pager)[^/]*)",
                               std::regex::icase};
  static const std::regex dated{R"(.*\d{4}-\d{2}[^/]*)"};
  std::vector<std::string> decks;
  std::vector<std::string> others;
  for (const auto& source : sources) {
    if (std::regex_match(source.file, deck)) decks.push_back(source.file);
    if (!std::regex_match(source.file, dated)) others.push_back(source.file);
  }
  return decks.empty() ? others : decks;
}

Sources only(const Sources& sources, const std::vector<std::string>& files) {
  Sources chosen;
  for (const auto& file : files) {
    const auto found = std::ranges::find(sources, file, &text::Document::file);
    if (found == sources.end()) throw SourceError{"the deck " + file + " is not among the sources"};
    chosen.push_back(*found);
  }
  return chosen;
}

Library::Library(const Sources& sources) : passages_{passages_of(sources)}, index_{passages_} {}

std::vector<Quote> Library::best(const std::string& question, const std::string& company,
                                 std::size_t most) const {
  std::vector<Quote> quotes;
  for (const auto& hit : index_.best(text::search_words(question, company), most)) {
    const text::Passage& passage = passages_[hit.passage];
    quotes.push_back({passage.body, passage.title, passage.file, passage.line});
  }
  return quotes;
}

std::optional<std::vector<text::Passage>> passages_at(const std::string& citation,
                                                      const Sources& sources,
                                                      const std::vector<Brief>& briefs) {
  const auto colon = citation.rfind(':');
  int line = 0;
  if (colon != citation.npos) {
    std::from_chars(citation.data() + colon + 1, citation.data() + citation.size(), line);
  }
  const std::string file = citation.substr(0, colon);
  for (const auto& source : sources) {
    if (source.file != file) continue;
    if (line < 1 || line > source.lines) return std::nullopt;
    return passages_on(source, line);
  }
  for (const auto& brief : briefs) {
    for (const auto& part : brief.parts) {
      for (const auto& quote : part.quotes) {
        if (!quote.by_hand || quote.file != file || quote.line != line) continue;
        return std::vector{text::Passage{quote.title, quote.text, file, line}};
      }
    }
  }
  return std::nullopt;
}

}  // namespace memo
