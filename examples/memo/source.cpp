#include "memo/source.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "memo/markdown.hpp"
#include "memo/pages.hpp"
#include "memo/pdf.hpp"
#include "memo/prose.hpp"
#include "memo/table.hpp"
#include "text/folder_notes.hpp"

namespace memo {
namespace {

namespace fs = std::filesystem;

/// Length of the UTF-8 sequence at the head of `text`, 0 if it is none (RFC 3629).
std::size_t sequence_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char head = byte(0);
  if (head < 0x80) return 1;
  const std::size_t length = head >= 0xF0 ? 4 : head >= 0xE0 ? 3 : 2;
  if (head < 0xC2 || head > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (head == 0xE0 && byte(1) < 0xA0) || (head == 0xF0 && byte(1) < 0x90);
  const bool beyond = (head == 0xED && byte(1) > 0x9F) || (head == 0xF4 && byte(1) > 0x8F);
  return overlong || beyond ? 0 : length;
}

/// The number of the first line that is not UTF-8; 0 if all are.
std::ptrdiff_t line_not_utf8(std::string_view text) noexcept {
  for (std::size_t at = 0, length = 0; at < text.size(); at += length) {
    length = sequence_length(text.substr(at));
    if (length == 0) return std::ranges::count(text.substr(0, at), '\n') + 1;
  }
  return 0;
}

std::string in_words(const fs::path& path) {
  std::string name = path.stem().string();
  std::ranges::replace(name, '-', ' ');
  std::ranges::replace(name, '_', ' ');
  const std::string date = date_of(path.generic_string());
  const auto at = path.stem().string().find(date);
  if (!date.empty() && name.size() > date.size() + 1 && at != std::string::npos) {
    name.erase(at == 0 ? 0 : at - 1, date.size() + 1);
    name += " (" + date + ")";
  }
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 32);
  return name;
}

std::string title_of(const std::string& path, std::string_view markdown) {
  for (const auto line : lines(markdown)) {
    if (line.starts_with("# ")) return plain(line.substr(2));
  }
  return in_words(path);
}

/// Reads the tables once, so that a file that cannot be read is named before anything runs.
void check_tables(const Source& source) {
  try {
    static_cast<void>(records_table(source));
  } catch (const std::invalid_argument& error) {
    throw SourceError{"source " + source.path + " cannot be read: " + error.what()};
  }
}

/// Whether the text was set for the eye, as slides are.
bool has_layout(const std::string& path, std::string_view content) {
  return path.ends_with(".pdf") ||
         (path.ends_with(".txt") && (is_deck(path) || content.find('\f') != npos));
}

std::string text_in(const std::string& path, std::string content) {
  if (!path.ends_with(".pdf")) return content;
  try {
    return text_of_pdf(content);
  } catch (const std::runtime_error& error) {
    throw SourceError{"source " + path + " cannot be read: " + error.what() +
                      "; convert it to text, or move it out of the folder"};
  }
}

std::string read_file(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{file}, {}};
  if (!file.is_open() || file.bad()) {
    throw SourceError{"cannot read source " + path.string() + ": check its permissions"};
  }
  return text;
}

/// The files below `folder`; a folder that cannot be listed is an error, not an empty one.
std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it{folder, error}, end; !error && it != end;
       it.increment(error)) {
    if (it->is_regular_file() && is_source(it->path())) files.push_back(it->path());
  }
  if (error) {
    throw SourceError{"cannot read the sources folder " + folder.string() + ": " + error.message() +
                      "; name a folder with --sources DIR"};
  }
  return files;
}

}  // namespace

Source make_source(std::string path, std::string content) {
  std::string text = text_in(path, std::move(content));
  if (const auto line = line_not_utf8(text); line > 0) {
    throw SourceError{"source " + path + " is not UTF-8 in line " + std::to_string(line) +
                      ": convert it, or move it out of the folder"};
  }
  const bool layout = has_layout(path, text);
  if (layout) text = markdown_of_pages(text);
  std::string title = title_of(path, layout || path.ends_with(".md") ? text : "");
  Source source{std::move(path), std::move(title), std::move(text)};
  if (is_records(source)) check_tables(source);
  return source;
}

bool is_source(const fs::path& path) {
  static constexpr std::array<std::string_view, 6> kinds{".md",   ".txt", ".yml",
                                                         ".yaml", ".csv", ".pdf"};
  return std::ranges::find(kinds, path.extension().string()) != kinds.end() &&
         !text::is_folder_note(path);
}

Sources load_sources(const fs::path& folder) {
  Sources sources;
  for (const auto& file : files_below(folder)) {
    sources.push_back(
        make_source(file.lexically_relative(folder).generic_string(), read_file(file)));
  }
  if (sources.empty()) {
    throw SourceError{"no sources in " + folder.string() +
                      ": put .md, .txt, .csv, .yml, .yaml or .pdf files there, or name another "
                      "folder with --sources"};
  }
  std::ranges::sort(sources, {}, &Source::path);
  return sources;
}

const Source* find_source(const Sources& sources, std::string_view path) noexcept {
  const auto found = std::ranges::find(sources, path, &Source::path);
  return found == sources.end() ? nullptr : &*found;
}

bool is_deck(std::string_view path) {
  static constexpr std::array<std::string_view, 4> names{"deck", "pitch", "presentation",
                                                         "one-pager"};
  const std::string stem = to_lower(fs::path{path}.stem().string());
  return std::ranges::any_of(names, [&](auto name) { return has_sign(stem, name); });
}

std::vector<std::string> default_deck(const Sources& sources) {
  std::vector<std::string> deck;
  std::vector<std::string> lasting;
  for (const auto& source : sources) {
    if (is_deck(source.path)) deck.push_back(source.path);
    if (date_of(source.path).empty() && !is_records(source)) lasting.push_back(source.path);
  }
  return deck.empty() ? lasting : deck;
}

Sources only(const Sources& sources, const std::vector<std::string>& paths) {
  Sources chosen;
  for (const auto& path : paths) {
    const Source* source = find_source(sources, path);
    if (source == nullptr) throw SourceError{"no source " + path + " in the sources folder"};
    chosen.push_back(*source);
  }
  return chosen;
}

bool is_csv(const Source& source) noexcept { return source.path.ends_with(".csv"); }

bool is_records(const Source& source) noexcept {
  return is_csv(source) || source.path.ends_with(".yml") || source.path.ends_with(".yaml");
}

std::string body_of(const Source& source) {
  std::string body = source.title + '\n';
  for (const auto& table : raw_tables_in(source)) {
    for (const auto& row : table.rows) {
      for (const auto& cell : row) body += cell + '\n';
    }
    for (const auto& statement : row_statements(table)) body += statement + '\n';
  }
  if (is_records(source)) return body;
  for (const auto& block : blocks(source.text)) {
    body += block.text + '\n' + fragment_of(block) + '\n';
    if (!block.label.empty()) body += block.label + ' ' + block.text + '\n';
  }
  for (const auto& link : links(source.text)) body += link.url + '\n';
  return body;
}

std::vector<std::string> unread_files(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator{folder}) {
    const bool known = text::is_folder_note(entry.path()) || is_source(entry.path());
    if (entry.is_regular_file() && !known) {
      names.push_back(entry.path().lexically_relative(folder).generic_string());
    }
  }
  std::ranges::sort(names);
  return names;
}

void to_json(nlohmann::json& json, const Source& source) {
  json = {{"path", source.path}, {"title", source.title}, {"text", source.text}};
}

void from_json(const nlohmann::json& json, Source& source) {
  json.at("path").get_to(source.path);
  json.at("title").get_to(source.title);
  json.at("text").get_to(source.text);
}

}  // namespace memo
