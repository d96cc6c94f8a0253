// SPDX-License-Identifier: Apache-2.0
internal import JSONText
internal import LV2Units

/// What a plug-in does wrong when it renders in a process of its own.
struct PluginVerdict {
  /// Whether it crashed, hung, or could not be used at all.
  private(set) var isUnusable = false
  /// What is wrong, a clause each.
  private(set) var faults: [String] = []
  /// The share of the time that it took of what it rendered, in the mean; nil where it rendered nothing.
  private(set) var load: Double?
  /// The longest run of 64 frames, in microseconds.
  private(set) var longest: Double?

  /// After how long without a word the process is ended, in milliseconds.
  private static let patience: Int32 = 30_000

  /// Has a plug-in render.
  ///
  /// - Throws: `Failure` where this program cannot be started.
  init(_ plugin: LV2Plugin) throws(Failure) {
    if let refusal = plugin.refusal {
      isUnusable = true
      faults = ["cannot be used: \(refusal)"]
      return
    }
    let end = try ChildTrial.run(
      [PluginTrial.checkingWord, plugin.uri, plugin.bundle], patience: Self.patience
    ) { line in hear(line) }
    if let end {
      isUnusable = true
      faults.insert("ended the process that it rendered in: \(end)", at: 0)
    }
  }

  private mutating func hear(_ line: String) {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return }
    switch parts[0] {
    case "fault": faults.append(parts[1])
    case "unusable":
      isUnusable = true
      faults.append(parts[1])
    case "load": load = Double(parts[1])
    case "longest": longest = Double(parts[1])
    default: break
    }
  }

  /// The sentence for a person, without the plug-in's name.
  var sentence: String {
    let cost = load.map { load in
      "\((load * 100).decimal(2)) % of a core"
        + (longest.map { ", \($0.decimal(0)) µs at the longest" } ?? "")
    }
    let words = faults.isEmpty ? "nothing wrong" : faults.joined(separator: "; ")
    return cost.map { "\(words) (\($0))" } ?? words
  }

  /// The same for programs.
  func document(_ name: String) -> JSONValue {
    .object([
      ("name", .text(name)), ("usable", .bool(!isUnusable)),
      ("faults", .array(faults.map { .text($0) })),
      ("load", load.map { .decimal($0.decimal(6)) } ?? .null),
      ("longestMicroseconds", longest.map { .decimal($0.decimal(1)) } ?? .null),
    ])
  }
}
