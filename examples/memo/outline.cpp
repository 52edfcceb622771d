#include "memo/outline.hpp"

#include "memo/markdown.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace memo {
namespace {

using Plans = std::vector<SectionPlan>;

SectionPlan summary() {
  return {"summary",
          "Executive Summary",
          {{"summary.what",
            "What it is",
            "What does {company} offer, and to whom?",
            "{company} is a platform product service that helps",
            {"{company} is a", "{company} helps", "{company} gives", "{company} provides"}},
           {"summary.value",
            "What it is worth to customers",
            "What do customers gain, in figures?",
            "savings cost percent annual saves customer",
            {"savings", "saves", "percent", "reduces"}}},
          {}};
}

SectionPlan business() {
  return {"business",
          "Business Overview",
          {{"business.offer",
            "Offer",
            "What can a customer buy?",
            "package plan account designed enterprise sandbox environment",
            {"package*", "account", "sandbox", "includes"}},
           {"business.customers",
            "Customers",
            "Who can be a customer?",
            "suitable customers organization agencies built for use",
            {"suitable for hosting", "is for teams", "customers pay", "on behalf of", "are able to",
             "contractors that"}},
           {"business.revenue",
            "Revenue model",
            "How is money earned?",
            "funded charging fee billed usage quota cost customers",
            {"fee", "fees", "is billed", "are billed", "cost-recoverable", "charging"}}},
          {"Pricing", "Support packages"}};
}

SectionPlan market() {
  return {"market",
          "Market Context",
          {{"market.size",
            "Market size",
            "How large is the market, and how fast does it grow?",
            "market size growth billion share",
            {"market size", "market share", "market growth", "addressable market", "billion"}},
           {"market.need",
            "Need",
            "Why do customers need this?",
            "agencies face challenges mandate compliance bottleneck shortages problem",
            {"mandate", "challenges", "bottleneck", "shortages", "labor-intensive", "burden*"}},
           {"market.alternatives",
            "Alternatives",
            "What else could a customer choose?",
            "vendor options alternatives infrastructure providers different competitors",
            {"vendor PaaS", "competitor*", "alternative*", "cloud vendors", "cloud option",
             "with IaaS"}}},
          {}};
}

SectionPlan team() {
  return {"team",
          "Team",
          {{"team.organisation",
            "Organisation",
            "Which organisation is behind it?",
            "{company} built maintained team within part founded",
            {"maintained by", "was founded", "a collaboration among"}},
           {"team.leadership",
            "Leadership",
            "Who leads it?",
            "director product lead founder serves leads {company}",
            {"{company} director", "product lead", "founder*", "co-founder*", "CEO", "head of"}},
           {"team.background",
            "Background",
            "What have the people done before?",
            "experience career previously worked background years",
            {"years of experience", "career", "background", "prior to", "previously worked"}},
           {"team.work",
            "Way of working",
            "How does the team work?",
            "team prioritize weekly engineers stand-up support agile",
            {"stand-up", "weekly basis", "agile project", "responsibility for"}}},
          {"People named with a role"}};
}

SectionPlan technology() {
  return {
      "technology",
      "Technology and Product",
      {{"technology.architecture",
        "Architecture",
        "What is it built on?",
        "{company} built open source runs infrastructure platform implementation",
        {"built on the", "runs on top", "implementation of", "based on the", "foundation on"}},
       {"technology.features",
        "Features",
        "What does the product do?",
        "platform automatically scales binds services monitor deploy application",
        {"automatically", "brokers", "languages", "exposes", "support for deploying"}},
       {"technology.security",
        "Security",
        "How is it secured?",
        "security hardened audited immutable infrastructure updates vulnerabilities",
        {"hardened", "immutable", "vulnerabilit*", "security updates", "continuous monitoring"}},
       {"technology.compliance",
        "Compliance",
        "Which rules does it meet?",
        "security controls inherited required moderate impact handles percent",
        {"controls", "authorization at the"}}},
      {}};
}

SectionPlan traction() {
  return {
      "traction",
      "Traction and Milestones",
      {{"traction.results",
        "Customer results",
        "What have customers achieved with it?",
        "customer saves annual hosting cost peak traffic migrate",
        {"saves", "annual savings", "has been able to", "has been so positive"}},
       {"traction.milestones",
        "Milestones",
        "What has been reached so far?",
        "authorization received authorized achieved completed announced prototype",
        {"has received", "achieved", "successfully completed", "first prototype", "re-authoriz*"}},
       {"traction.users",
        "Number of customers",
        "How many customers are there?",
        "number customers users active",
        {"active users", "number of customers", "paying customers", "monthly users"}},
       {"traction.revenue",
        "Revenue",
        "What is the revenue, and how does it grow?",
        "revenue growth annual recurring",
        {"revenue", "revenues", "ARR", "recurring"}}},
      {"What was published when"}};
}

SectionPlan funding() {
  return {"funding",
          "Funding and Terms",
          {{"funding.source",
            "Source of funds",
            "Who pays for the work?",
            "funding source fund agreements rates cost service",
            {"funding source", "funded by", "interagency agreement*", "can pay for"}},
           {"funding.prices",
            "Prices and changes",
            "What are the prices, and how have they changed?",
            "cost memory gigabyte month agreements prices rates",
            {"$", "prices", "rates", "billing"}},
           {"funding.rounds",
            "Funding rounds",
            "Which rounds were raised, and from whom?",
            "round investors raised venture capital",
            {"funding round*", "seed round", "series A", "venture capital", "investor*"}},
           {"funding.valuation",
            "Valuation",
            "At which valuation?",
            "valuation pre-money post-money",
            {"valuation", "valued at", "pre-money", "post-money"}},
           {"funding.terms",
            "Terms of an investment",
            "What is offered to an investor?",
            "equity shares terms investment instrument",
            {"equity", "term sheet", "convertible", "preferred stock", "minimum investment"}}},
          {"Access fees", "Memory quota cost"}};
}

SectionPlan risks() {
  return {"risks",
          "Risks and Mitigations",
          {{"risks.incidents",
            "Incidents",
            "What went wrong so far?",
            "outage unavailable platform incident disruption halted",
            {"outage", "unavailable", "halted", "vulnerability"}},
           {"risks.dependence",
            "Dependence on others",
            "Who can it not do without?",
            "Amazon Web Services infrastructure provider FedRAMP authorization required",
            {"Amazon Web Services", "AWS GovCloud", "is critical", "sole supplier"}},
           {"risks.limits",
            "Limits",
            "What is not covered?",
            "limits not able capped limited government organizations responsibility",
            {"not able to", "capped at", "limited by design", "prohibits", "ultimately rests",
             "still needs", "no longer offering"}},
           {"risks.mitigation",
            "Mitigation",
            "What is done about it?",
            "incident response retrospective monitoring re-assessment every year availability",
            {"re-assessment", "compliance audit", "redundancy", "first responders",
             "high-availability", "disaster recovery"}}},
          {}};
}

SectionPlan thesis() {
  return {"thesis",
          "Investment Thesis",
          {{"thesis.edge",
            "Advantage",
            "What sets it apart?",
            "first open source platform built specifically government faster easier",
            {"first completely", "specifically for", "shortened path", "force-multiplier*",
             "radically", "dramatically"}},
           {"thesis.scale",
            "Scale",
            "Why could it grow at little cost?",
            "economy scale efficient reuse open source agencies centralized",
            {"economy of scale", "more efficient", "reusable", "replicable",
             "eliminating duplicative", "reduces the work"}},
           {"thesis.direction",
            "Direction",
            "Where does it want to go?",
            "mission goals expand platform capabilities continue plan",
            {"mission of {company}", "our goals", "goals for", "expand the platform", "intend*",
             "ambition"}}},
          {}};
}

SectionPlan recommendation() { return {"recommendation", "Recommendation", {}, {}}; }

/// A fund is asked for its strategy and portfolio instead of an offer and a product's features.
void make_fund(Plans& plans) {
  auto& strategy = plans[1];
  strategy.title = "Fund Strategy";
  strategy.topics.push_back({"fund.strategy",
                             "Investment strategy",
                             "What does the fund invest in?",
                             "fund strategy stage sector cheque",
                             {"investment strategy", "fund invests", "portfolio companies"}});
  auto& track_record = plans[5];
  track_record.topics.push_back({"fund.record",
                                 "Track record",
                                 "What did earlier funds return?",
                                 "track record returns multiple",
                                 {"track record", "TVPI", "DPI", "net IRR"}});
  plans[6].title = "Fees and Terms";
}

void name_company(std::string& text, const std::string& company) {
  text = replace_all(std::move(text), "{company}", company);
}

void name_company(Plans& plans, const std::string& company) {
  for (auto& plan : plans) {
    for (auto& topic : plan.topics) {
      name_company(topic.question, company);
      name_company(topic.query, company);
      for (auto& sign : topic.signs) name_company(sign, company);
    }
  }
}

void check(const Request& request) {
  if (request.type != "direct" && request.type != "fund") {
    throw std::invalid_argument{"unknown investment type '" + request.type +
                                "': use direct or fund"};
  }
  if (request.mode != "consider" && request.mode != "justify") {
    throw std::invalid_argument{"unknown mode '" + request.mode + "': use consider or justify"};
  }
}

}  // namespace

std::vector<SectionPlan> outline(const Request& request) {
  check(request);
  Plans plans{summary(),  business(), market(), team(),   technology(),
              traction(), funding(),  risks(),  thesis(), recommendation()};
  if (request.type == "fund") make_fund(plans);
  if (request.mode == "justify") plans.back().title = "Justification";
  name_company(plans, request.company);
  return plans;
}

std::vector<Topic> deck_topics(const Request& request) {
  static constexpr std::array<std::string_view, 8> ids{
      "summary.what",      "business.revenue",        "market.size", "market.need",
      "team.organisation", "technology.architecture", "thesis.edge", "funding.rounds"};
  std::vector<Topic> topics;
  for (const auto& plan : outline(request)) {
    for (const auto& topic : plan.topics) {
      if (std::ranges::find(ids, topic.id) != ids.end()) topics.push_back(topic);
    }
  }
  return topics;
}

}  // namespace memo
