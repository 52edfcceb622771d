/// @file
/// What the fragments in the documentation take for granted. Nothing here is defined or run: the
/// fragments are compiled, and not linked.
#pragma once

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#if __has_include(<CLI/CLI.hpp>)
#include <CLI/CLI.hpp>
#include <resumable/cli.hpp>
#endif
#include <resumable/bundle.hpp>
#include <resumable/json_types.hpp>
#include <resumable/manage.hpp>
#include <resumable/postgres_store.hpp>
#include <resumable/resumable.hpp>
#include <resumable/s3.hpp>
#include <resumable/yaml.hpp>
#include <resumable/zstd.hpp>

namespace rs = resumable;
#if __has_include(<CLI/CLI.hpp>)
namespace cli = resumable::cli;
#endif
using namespace std::chrono_literals;

namespace preamble {

struct Section {
  std::string title;
  std::string markdown;
};
struct Deck {
  std::string company;
  std::vector<std::string> topics;
};
struct Draft {
  std::string text;
};
struct Research {
  std::vector<std::string> findings, sources;
};
struct Hits {
  std::vector<std::string> urls;
};
struct Mail {
  std::string to, body;
};
struct Receipt {
  std::string id;
};
struct Turn {
  std::string text;
};
struct Page {
  std::string body;
  std::vector<std::string> links;
};
struct Chat {
  std::string id;
  int asked = 0;
  bool finished() const;
  void ask_next();
};
struct Mesh {
  std::vector<double> points;
};
struct Samples {
  std::vector<double> values;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Samples, values)
struct Piece {
  std::string key, markdown, text;
};
struct Answer {
  int status = 0;
  double cost = 0;
  std::string body;
  std::chrono::milliseconds retry_after{0};
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Section, title, markdown)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Deck, company, topics)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Draft, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Research, findings, sources)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Hits, urls)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Mail, to, body)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Receipt, id)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Turn, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Page, body, links)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Chat, id, asked)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Piece, key, markdown, text)

Deck analyse_deck(const std::string& company);
Draft write_draft(const std::string& company, const Deck& deck);
rs::Text write_section(const Section& section, const std::string& company);
Piece write_piece(rs::Context& context, const Piece& task);
std::string ask(const std::string& instructions, const std::string& text);
Hits search(const std::string& query);
Hits headlines(const std::string& query);
Page fetch(const std::string& url);
Research merge(const Hits& web, const Hits& news);
Answer http_get(const std::string& url, std::stop_token stop);
std::vector<std::string> expand(const std::string& domain);
Receipt post(const Mail& mail, const std::string& key);
rs::Verified<Receipt> find_receipt(const std::string& key);
Turn next_turn(const rs::History<Turn>& turns);
void publish(const Draft& draft);
void show(const Deck& deck);
void add_sources(rs::Json& document);
void rename_hits(rs::Json& document);
void split_name(rs::Json& document);

extern const std::string url, domain, company_name, id, provider, instructions, text;
extern const Deck a_deck;
extern const Mail mail;
extern rs::Context& ctx;
extern rs::CheckpointStore& store;
extern rs::Pipeline memo, crawl, corpus, pipeline;
extern int argc;
extern char** argv;
#if __has_include(<CLI/CLI.hpp>)
extern CLI::App app;
extern CLI::App* resume;
extern cli::OutputOptions output;
#endif
extern rs::ResumeOptions options;
extern rs::WorkOptions work_options;
extern const rs::Stage<std::string> company;
extern const rs::Stage<Deck> deck;
extern const rs::Stage<Draft> draft;
extern const rs::Stage<Research> research;
extern const rs::Stage<double> score;
extern const rs::Stage<std::vector<Section>> outline;
extern const rs::Stage<std::vector<std::string>> seeds;
extern const rs::Stage<std::vector<Piece>> first;
extern const rs::FanOut<Section> sections;

}  // namespace preamble

using namespace preamble;  // NOLINT(google-build-using-namespace)
