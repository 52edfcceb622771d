#include "research/subjects.hpp"

#include <set>

#include "research/measures.hpp"
#include "research/text.hpp"

namespace research {

bool is_subject(const std::string& term) {
  static const std::set<std::string> general = [] {
    std::set<std::string> stems;
    for (const char* word :
         {// paying
          "cost", "costs", "pay", "pays", "paid", "payment", "price", "charge", "charged", "fee",
          "money", "sum", "amount", "spend", "spent", "buy", "buys", "bought", "sell", "sold",
          "bill", "budget", "estimate", "worth", "cheap", "cheaper", "dear", "dearer", "expensive",
          // amounts
          "total", "number", "average", "half", "third", "quarter", "double", "rest", "part",
          "whole", "full", "about", "nearly", "roughly", "least", "maximum", "minimum", "figure",
          "many", "several", "people", "person",
          // time
          "spring", "summer", "autumn", "winter", "season", "morning", "afternoon", "evening",
          "night", "today", "daily", "weekly", "monthly", "yearly", "annual", "date", "ago",
          "early", "earlier", "late", "later",
          // what is done to many things
          "begin", "began", "begun", "start", "end", "finish", "open", "close", "closed", "stop",
          "stand", "stood", "hold", "held", "give", "gave", "given", "take", "took", "taken",
          "come", "came", "leave", "left", "go", "goes", "went", "gone", "set", "get", "keep",
          "kept", "bring", "brought", "run", "repair", "replace", "change", "move", "raise", "rise",
          "rose", "fall", "fell", "fallen", "reduce", "increase", "need", "show", "report", "plan",
          "expect", "allow", "add", "try", "read", "find", "found", "become", "became", "happen",
          "lie", "lies", "lay", "new", "old"}) {
      stems.insert(stem(word));
    }
    return stems;
  }();
  return !is_measure(term) && !general.contains(term);
}

}  // namespace research
