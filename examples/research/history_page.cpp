#include "research/history_page.hpp"

#include <fmt/format.h>

#include "research/html_text.hpp"
#include "research/listing.hpp"

namespace research {
namespace {

constexpr const char* style =
    "body{font:16px/1.5 sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;"
    "background:#fff}table{border-collapse:collapse;width:100%}th,td{text-align:left;"
    "padding:.4rem .6rem;border-bottom:1px solid #bbb}button{font:inherit;padding:.2rem .8rem}"
    "button:focus-visible,a:focus-visible,.wide:focus-visible{outline:3px solid #06c}"
    ".why{color:#a00}.wide{overflow-x:auto}";

std::string last_column(const Session& session, const Runs& runs) {
  const std::string batch = session.batch.empty() ? session.id : session.batch;
  const bool finished = session.damage.empty() && session.progress.finished();
  if (finished) {
    return fmt::format("<a href=\"/sessions/{}/report\">Report<span class=\"of\"> of {}</span></a>",
                       percent_encoded(session.id), escaped(session.id));
  }
  if (runs.is_running(session.id)) return "running";
  const std::string why = session.damage.empty() ? runs.failure(session.id) : session.damage;
  std::string text = fmt::format(
      "<form method=\"post\" action=\"/history/{}/resume\"><button aria-label=\"Continue {}\">"
      "Continue</button></form>",
      percent_encoded(batch), escaped(batch));
  if (!why.empty()) text += fmt::format("<p class=\"why\">{}</p>", escaped(why));
  return text;
}

}  // namespace

std::string history_page(const std::vector<Session>& sessions, const Runs& runs) {
  std::string rows;
  for (const Session& session : sessions) {
    rows += fmt::format(
        "<tr><th "
        "scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        escaped(session.id), escaped(session.batch), escaped(status_of(session)),
        escaped(phases_of(session)), escaped(session.created), last_column(session, runs));
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Research sessions"
      "</title>\n<meta name=\"viewport\" "
      "content=\"width=device-width\">{}\n<style>{}</style></head>"
      "\n<body>\n<h1>Research sessions</h1>\n{}<p>The same as JSON: <a href=\"/api/history\">"
      "/api/history</a></p>\n</body>\n</html>\n",
      runs.any() ? "<meta http-equiv=\"refresh\" content=\"2\">" : "", style,
      sessions.empty()
          ? std::string{"<p>There are no sessions yet: <code>research continue BATCH --pages DIR"
                        "</code> begins one.</p>\n"}
          : "<div class=\"wide\" role=\"region\" aria-label=\"Sessions\" tabindex=\"0\">"
            "<table>\n<tr><th scope=\"col\">Session</th><th scope=\"col\">Batch</th>"
            "<th scope=\"col\">Status</th><th scope=\"col\">Phases done</th>"
            "<th scope=\"col\">Created</th><th scope=\"col\">Next</th></tr>\n" +
                rows + "</table></div>\n");
}

}  // namespace research
