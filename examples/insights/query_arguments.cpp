// A query as the arguments of the tool compute.
#include <nlohmann/json.hpp>

#include "insights/query.hpp"

namespace insights {

void to_json(nlohmann::json& json, const Query& query) {
  json = {{"figure", query.figure}};
  if (!query.measures.empty()) json["measures"] = query.measures;
  if (!query.times.empty()) json["times"] = query.times;
  if (!query.tell.empty()) json["tell"] = query.tell;
  const auto put = [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  put("unit", query.unit);
  put("of", query.of);
  put("less", query.less);
  put("sign", query.sign);
  put("having", query.having);
  if (query.rows > 0) json["rows"] = query.rows;
  if (!query.where.empty()) json["where"] = query.where;
  put("per", query.per);
  put("by", query.by);
  put("order", query.order);
  if (query.each != 1) json["each"] = query.each;
  if (!query.part.empty()) json["part"] = query.part;
  if (query.limit) json[query.limit->name] = query.limit->value;
  if (!query.compared.first.empty()) {
    json["compared"] = {{"first", query.compared.first}, {"second", query.compared.second}};
  }
  if (query.periods) {
    json["first"] = query.periods->first;
    json["second"] = query.periods->second;
  }
  if (query.hours.second - query.hours.first < 24) {
    json["hour_from"] = query.hours.first;
    json["hour_to"] = query.hours.second;
  }
}

}  // namespace insights
