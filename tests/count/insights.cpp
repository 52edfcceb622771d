// insights_count [--why | --read] FOLDER...: how many of the facts that a folder's answerable.json
// lists the answers of insights state. Build it with
//   cmake --build --preset release --target insights_count
// and run build/release/tests/bin/insights_count FOLDER... from anywhere. A folder holds the tables
// (.csv, .tsv) and answerable.json:
//
//   {"systemId": "sales", "contextWindowDays": 61, "questions": [
//     {"prompt": "Which shop takes the most?", "facts": [
//       {"fact": "the shop", "words": ["Harbour"], "numbers": [[13250, 54.2]]}]}]}
//
// A fact is stated if one line of the answer matches all regular expressions of `words` (in any
// case) and has, of each list in `numbers`, one number to half a per cent. With --why also which
// facts are missed, with the answers that miss them; with --read every answer.
#include <chrono>
#include <iostream>
#include <sstream>

#include "../insights/answerable.hpp"
#include "insights/commands.hpp"
#include "support/temp_folder.hpp"

namespace {

using namespace insights;
using namespace insights::testing;
using Json = nlohmann::json;

std::string ask(const Json& request, const std::filesystem::path& folder) {
  const resumable::test::TempFolder out;
  const std::string data = folder.string();
  const std::string to = out.path().string();
  const char* argv[]{"insights", "request", "--data", data.c_str(), "--out", to.c_str()};
  std::ostringstream said;
  std::ostringstream errors;
  std::istringstream from{request.dump()};
  resumable::cli::Console console{said, errors};
  if (command(std::size(argv), argv, console, from, std::chrono::system_clock::now) != 0) {
    return said.str() + errors.str();
  }
  return Json::parse(said.str()).at("insights").at("rawText");
}

void count(const std::filesystem::path& folder, bool why, bool read) {
  std::size_t facts = 0;
  std::size_t missed = 0;
  std::size_t whole = 0;
  const std::vector<Answered> all = answered(folder, ask);
  for (const Answered& one : all) {
    facts += one.facts;
    missed += one.missed.size();
    if (one.missed.empty()) ++whole;
    for (const std::string& fact : one.missed) {
      if (why || read) std::cout << "missed: " << fact << " (" << one.prompt << ")\n";
    }
    if (read || (why && !one.missed.empty())) {
      std::cout << "== " << one.prompt << '\n' << one.text << "\n\n";
    }
  }
  std::cout << folder.filename().string() << ": " << facts - missed << " of " << facts << " facts, "
            << whole << " of " << all.size() << " questions in full" << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  bool why = false;
  bool read = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--why") {
      why = true;
    } else if (argument == "--read") {
      read = true;
    } else {
      count(argument, why, read);
    }
  }
}
