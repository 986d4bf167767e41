// A place and a sender without sockets: every receiver costs what the test says.
#pragma once

#include <udpbench/experiment/compare.hpp>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace udpbench::experiment {

/** Costs in ns per datagram, by receiver; each turn and round asks anew. */
class scripted_place final : public place {
 public:
  std::function<double(const std::string& receiver, std::size_t seat)> cost =
      [](const std::string&, std::size_t) { return 500.0; };
  /** Changes a sample before it is handed out. */
  std::function<void(const std::string& receiver, sample&)> spoil = [](const std::string&,
                                                                       sample&) {};
  std::string throws_on_open;
  std::string backend = "epoll";
  bool has_bare = false; ///< What rounds are held against; else they are decided without.
  std::uint64_t holds = 92;
  std::vector<std::string> turns;
  std::vector<std::size_t> chunks; ///< Of each round.
  std::size_t open_now = 0;
  std::size_t opened_ever = 0;

  opened open(const seat_plan& plan) override {
    if (plan.receiver == throws_on_open) throw std::runtime_error("no memory for it");
    if (plan.receiver == bare_receiver(false) && !has_bare)
      throw std::invalid_argument("no bare receiver");
    names_[opened_ever] = plan.receiver;
    ++open_now;
    return {.number = opened_ever++,
            .endpoint = {},
            .receive_buffer_bytes = 212'992,
            .backend = backend};
  }

  void close(seat) noexcept override { --open_now; }

  sample turn(seat s, const turn_plan& plan) override {
    turns.push_back(names_[s]);
    sample out = sample_of(s, plan.depth * (plan.untimed + plan.timed), plan.depth * plan.timed);
    const auto slice = std::chrono::nanoseconds(out.elapsed.count() / plan.timed);
    out.slices.assign(plan.timed, slice);
    spoil(names_[s], out);
    return out;
  }

  schedule begin(seat s, const round_plan& plan) override {
    turns.push_back(names_[s]);
    chunks.push_back(plan.chunk);
    return {.run = 1, .round = 1, .size = plan.size};
  }

  sample end(seat s, const send_counts& sent) override {
    sample out = sample_of(s, sent.sent, sent.sent);
    out.sent = sent;
    spoil(names_[s], out);
    return out;
  }

  std::uint64_t capacity(const seat_plan&, const turn_plan&, std::uint64_t) override {
    return holds;
  }

 private:
  sample sample_of(seat s, std::uint64_t sent, std::uint64_t timed) {
    sample out;
    out.sent.sent = out.sent.intended = sent;
    out.arrivals.unique = out.arrivals.highest = sent;
    out.kernel_dropped = 0;
    out.timed = out.during = timed;
    out.elapsed = std::chrono::nanoseconds(
        static_cast<std::int64_t>(cost(names_[s], s) * static_cast<double>(timed)));
    out.cpu = out.elapsed;
    out.cpu_share = 1;
    return out;
  }

  std::map<seat, std::string> names_;
};

/** Accepts everything and sends nothing. */
class silent_sender final : public sender {
 public:
  void open(const net::endpoint&) override {}
  void open_each(std::span<const net::endpoint>) override {}
  send_counts send(const schedule&, std::uint64_t count) override {
    send_counts c;
    c.intended = c.sent = count;
    return c;
  }
};

inline std::unique_ptr<sender> make_silent_sender(send_mode, const load&) {
  return std::make_unique<silent_sender>();
}

/** Tells of its pacing what the test says. */
class telling_sender final : public sender {
 public:
  explicit telling_sender(pacing_report r) : report_(r) {}
  void open(const net::endpoint&) override {}
  void open_each(std::span<const net::endpoint>) override {}
  send_counts send(const schedule&, std::uint64_t count) override {
    send_counts c;
    c.intended = c.sent = count;
    return c;
  }
  pacing_report pacing() const override { return report_; }

 private:
  pacing_report report_;
};

/** A plan that every test may change. */
inline plan plan_for(std::vector<std::string> receivers, load::kind kind) {
  plan p;
  p.receivers = std::move(receivers);
  p.loads = {{.what = kind}};
  p.seed = 42;
  return p;
}

inline record::run run_scripted(const plan& p, scripted_place& where, const watcher& watch = {},
                                const sender_maker& make = make_silent_sender) {
  record::run out;
  comparison(p, where, watch, make).run(out);
  return out;
}

} // namespace udpbench::experiment
