#include "corpus/types.hpp"

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "corpus/tasks.hpp"

namespace corpus {
std::optional<std::string> markdown(const Page& page) {
  if (page.kind == Kind::expansion) return std::nullopt;
  return "# " + page.title + "\n\n" + page.text;
}

Page with_markdown(const std::string& text, const Page& former) {
  const std::size_t end = text.find('\n');
  if (text.substr(0, end) != "# " + former.title) {
    throw std::invalid_argument("line 1: a section begins with its title, '# " + former.title +
                                "'");
  }
  Page page = former;
  const std::size_t begin = end == text.npos ? end : text.find_first_not_of('\n', end);
  page.text = begin == text.npos ? std::string{} : text.substr(begin);
  page.words = count_words(page.text);
  return page;
}

std::optional<std::string> readable_plan(const Page& page) {
  if (page.kind != Kind::expansion) return std::nullopt;
  using Ordered = nlohmann::ordered_json;
  Ordered sections = Ordered::array();
  for (const Planned& one : page.plan) {
    sections.push_back({{"name", one.name}, {"prompt", one.prompt}});
  }
  return Ordered{{"domain", page.title}, {"sections", std::move(sections)}}.dump(2) + "\n";
}

}  // namespace corpus
