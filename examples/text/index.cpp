// SQLite ranks better than a loop of ours would, and is a dependency already. Scores are rounded:
// the last bits of log() differ between C libraries.
#include "text/index.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <sqlite3.h>

#include "text/words.hpp"

namespace text {
namespace {

constexpr const char* schema =
    "CREATE VIRTUAL TABLE p USING fts5(title, body, headed, "
    "tokenize = 'porter unicode61 remove_diacritics 2')";

constexpr double header_weight = 0.7;  // a word of a header is one of each row, and of none alone

}  // namespace

std::vector<std::string> search_words(std::string_view question, std::string_view without) {
  std::vector<std::string> left_out = words_of(without);
  std::ranges::transform(left_out, left_out.begin(), in_lower_case);
  std::vector<std::string> words;
  for (const std::string& word : words_of(question)) {
    const bool tells = std::ranges::count_if(word, is_letter) >= 4 ||
                       std::ranges::any_of(word, is_digit) ||
                       std::any_of(word.begin() + 1, word.end(), is_capital);
    if (!tells || std::ranges::count(left_out, in_lower_case(word)) > 0) continue;
    if (std::ranges::count(words, word) == 0) words.push_back(word);
  }
  return words;
}

void PassageIndex::Close::operator()(sqlite3* database) const noexcept { sqlite3_close(database); }
void PassageIndex::Close::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

PassageIndex::~PassageIndex() = default;
PassageIndex::PassageIndex(PassageIndex&&) noexcept = default;

PassageIndex::Statement PassageIndex::prepare(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
    throw std::runtime_error{std::string{"SQLite: "} + sqlite3_errmsg(database_.get())};
  }
  return Statement{statement};
}

PassageIndex::PassageIndex(const std::vector<Passage>& passages, double title_weight)
    : title_weight_{title_weight} {
  sqlite3* database = nullptr;
  const int opened = sqlite3_open(":memory:", &database);
  database_.reset(database);
  if (opened != SQLITE_OK) throw std::runtime_error{"SQLite cannot open a database in memory"};
  sqlite3_step(prepare(schema).get());
  sqlite3_step(prepare("BEGIN").get());
  const Statement insert =
      prepare("INSERT INTO p(rowid, title, body, headed) VALUES (?1, ?2, ?3, ?4)");
  sqlite3_int64 row = 0;
  for (const Passage& passage : passages) {
    sqlite3_bind_int64(insert.get(), 1, ++row);
    sqlite3_bind_text(insert.get(), 2, passage.title.c_str(), -1, SQLITE_STATIC);
    const bool is_row = !passage.cells.empty();
    const std::string& body = is_row ? passage.cells : passage.body;
    sqlite3_bind_text(insert.get(), 3, body.c_str(), -1, SQLITE_STATIC);
    sqlite3_bind_text(insert.get(), 4, is_row ? passage.body.c_str() : "", -1, SQLITE_STATIC);
    if (sqlite3_step(insert.get()) != SQLITE_DONE) {
      throw std::runtime_error{std::string{"SQLite: "} + sqlite3_errmsg(database)};
    }
    sqlite3_reset(insert.get());
  }
  sqlite3_step(prepare("COMMIT").get());
}

std::vector<Hit> PassageIndex::best(const std::vector<std::string>& words, std::size_t most,
                                    double least) const {
  std::string any;
  for (const std::string& word : words) {  // in quotation marks, so that none is an operator
    any += fmt::format("{}\"{}\"", any.empty() ? "" : " OR ", fmt::join(words_of(word), " "));
  }
  if (any.empty()) return {};
  const Statement query =
      prepare(fmt::format("SELECT rowid, round(-bm25(p, {}, 1.0, {}), 6) AS score FROM p "
                          "WHERE p MATCH ?1 ORDER BY score DESC, rowid LIMIT ?2",
                          title_weight_, header_weight));
  sqlite3_bind_text(query.get(), 1, any.c_str(), -1, SQLITE_STATIC);
  sqlite3_bind_int64(query.get(), 2, static_cast<sqlite3_int64>(most));
  std::vector<Hit> hits;
  while (sqlite3_step(query.get()) == SQLITE_ROW) {
    const auto row = static_cast<std::size_t>(sqlite3_column_int64(query.get(), 0));
    const double score = sqlite3_column_double(query.get(), 1);
    if (score >= least) hits.push_back({row - 1, score});
  }
  return hits;
}

}  // namespace text
