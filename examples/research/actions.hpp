/// @file
/// What the program's commands do, once their arguments are known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <resumable/cli.hpp>
#include <resumable/error.hpp>

#include "program/store.hpp"
#include "research/pipeline.hpp"
#include "research/sessions.hpp"

namespace research {

/// What the command line said; empty is not given.
struct Arguments {
  std::string batch;
  std::string session;
  program::Place place{};
  std::string topic;
  std::string pages;
  std::string site;
  model::Choice choice{};
  unsigned pace = 0;
  model::Terms terms{};
  std::optional<unsigned> delay{};
  std::string ca;
  std::optional<Limits> limits{};
  std::string phase;
  unsigned step = 0;
  bool force = false;
  int port = 0;
  resumable::ResumeOptions options{};  ///< the flags of continue, resume and plan
  resumable::cli::OutputOptions output{};
};

/// Each action gives an exit code; errors of usage are thrown as resumable::Error.
class Actions {
 public:
  Actions(const Arguments& arguments, resumable::cli::Console& console);

  int go_on();  ///< `continue`: finds the batch's session or creates it
  int resume();
  int list();
  int status();
  int plan();
  int serve();

 private:
  [[nodiscard]] std::string command(std::string_view name, std::string_view id = {}) const;
  [[nodiscard]] std::string site() const;
  [[nodiscard]] Settings how(Settings settings) const;
  [[nodiscard]] Settings given(const std::string& session) const;
  [[nodiscard]] Settings for_new_session() const;
  void must_be_free(const std::string& id) const;
  [[nodiscard]] Session must_have(const std::string& id);
  void must_have_come_to(const std::string& phase, const Session& session) const;
  [[nodiscard]] std::vector<std::string> again(const Session& session) const;
  int go(const std::string& session, Settings settings, const std::vector<std::string>& redo,
         bool must_exist);
  void write_view(const std::string& session);

  const Arguments& args_;
  resumable::cli::Console& console_;
  program::Store store_;
};

}  // namespace research
