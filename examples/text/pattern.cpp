#include "text/pattern.hpp"

#include <unordered_map>

namespace text {

const std::regex& pattern(const std::string& source) {
  thread_local std::unordered_map<std::string, std::regex> compiled;
  const auto found = compiled.find(source);
  if (found != compiled.end()) return found->second;
  return compiled.emplace(source, std::regex{source, std::regex::icase}).first->second;
}

}  // namespace text
