// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import SoundTools
internal import SystemPackages

/// The checks on real-time performance: priorities, memory and the speed of the processor.
extension Machine {
  var realtimeFindings: [Finding] {
    [priority, runTime, lockedMemory, rtkit, governor, preemption]
  }

  /// The commands that raise the limits permanently.
  private var raisingLimits: [String] {
    [
      #"printf '@audio - rtprio 95\n@audio - memlock unlimited\n'"#
        + " | sudo tee /etc/security/limits.d/downbeat.conf"
    ] + joiningAudio
  }

  private var priority: Finding {
    let why = "With real-time priority, sound and MIDI are not delayed by other programs."
    if limits.grantsPriority { return .ok("priority", "granted", why: why) }
    return .warning(
      "priority", "refused (raise the limit and log in again)", why: why, fixes: raisingLimits)
  }

  private var runTime: Finding {
    let why = "The kernel ends a real-time thread that runs longer than this without a pause."
    guard let limit = limits.runTime else { return .ok("run time", "no limit", why: why) }
    return .warning(
      "run time", "limited to \(limit / 1000) ms", why: why, fixes: ["ulimit -R unlimited"])
  }

  private var lockedMemory: Finding {
    let why =
      "Sound stops while swapped-out memory is read back; locked memory is never swapped out."
    guard let limit = limits.lockedMemory else { return .ok("memory lock", "no limit", why: why) }
    return .warning(
      "memory lock", "\(limit >> 20) MiB (raise the limit and log in again)", why: why,
      fixes: raisingLimits)
  }

  private var rtkit: Finding {
    let why =
      "RealtimeKit gives real-time priority to sound servers, and to downbeat if limits forbid it."
    if names(in: "/proc").contains(where: isRTKit) { return .ok("rtkit", "running", why: why) }
    let service = "/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service"
    let hasBus = answers("\(root)/run/dbus/system_bus_socket")
    if isThere(service), hasBus { return .ok("rtkit", "starts on demand", why: why) }
    let found = isThere(service) ? "installed, but no system bus answers" : "not installed"
    let hasServer = SoundServer.all(on: self).contains { $0.sockets.contains(where: answers) }
    return hasServer
      ? .warning("rtkit", found, why: why, fixes: isThere(service) ? [] : [installing(.rtkit)])
      : .ok("rtkit", found, why: why)
  }

  private func isRTKit(_ process: String) -> Bool {
    process.first?.isNumber == true && line(of: "/proc/\(process)/comm") == "rtkit-daemon"
  }

  private var governor: Finding {
    let why = "Short periods are missed if the processor runs slowly, or speeds up late."
    let folder = "/sys/devices/system/cpu"
    let all = names(in: folder).compactMap { line(of: "\(folder)/\($0)/cpufreq/scaling_governor") }
    guard !all.isEmpty else { return .ok("governor", "unknown", why: why) }
    let found = Set(all).sorted().joined(separator: ", ")
    // With these drivers, `powersave` also adjusts the speed, as `ondemand` does with others.
    let driver = line(of: "\(folder)/cpu0/cpufreq/scaling_driver") ?? ""
    let choosesItself = driver == "intel_pstate" || driver == "amd-pstate-epp"
    guard all.contains("powersave"), !choosesItself else { return .ok("governor", found, why: why) }
    return .warning(
      "governor", found, why: why, fixes: ["sudo cpupower frequency-set -g performance"])
  }

  private var preemption: Finding {
    let version = line(of: "/proc/version") ?? ""
    let models = ["PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT"]
    let model =
      line(of: "/sys/kernel/realtime") == "1"
      ? models[0] : models.first { version.contains($0) } ?? "unknown"
    let words = (line(of: "/proc/cmdline") ?? "").split(separator: " ")
    return .ok(
      "preemption", model + (words.contains("threadirqs") ? ", threadirqs" : ""),
      why: "The kernel's preemption model sets its scheduling latency; PREEMPT_RT has the lowest.")
  }
}
