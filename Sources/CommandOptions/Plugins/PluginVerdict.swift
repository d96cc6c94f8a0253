// SPDX-License-Identifier: Apache-2.0
package import CommandKit
package import JSONText
package import LV2Units
internal import PlayerControl

/// What a plug-in does wrong when it renders in a process of its own.
package struct PluginVerdict {
  /// Why it cannot be used, or how it ended; nil where it can.
  private var end: String?
  /// What else is wrong.
  package private(set) var faults: [PluginFault] = []
  /// Whether the bundle's files have been read.
  private var isReady = false
  /// Whether the trial has reached its end.
  private var isDone = false
  /// What was done last that may have ended the process.
  private var cause: String?
  /// The share of the time that it took of what it rendered, in the mean; nil where it rendered nothing.
  private(set) var load: Double?
  /// The longest run of 64 frames, in microseconds.
  package private(set) var longest: Double?

  /// After how long without a word the process is ended, in seconds.
  private static let patience = 30
  /// The same while it reads what the bundle's files say of all its plug-ins.
  private static let readingPatience = 180

  /// Whether it crashed, hung, or could not be used at all.
  package var isUnusable: Bool { end != nil }

  /// Has a plug-in render.
  ///
  /// - Throws: `Failure` where this program cannot be started.
  package init(_ plugin: LV2Plugin) throws(Failure) {
    if let refusal = plugin.refusal {
      end = "cannot be used: \(refusal)"
      return
    }
    do throws(LV2Error) {
      let fate = try TrialProcess.run(
        [Environment.executable, PluginTrial.checkingWord, plugin.uri, plugin.bundle],
        secondsOfSilence: isReady ? Self.patience : Self.readingPatience
      ) { line in hear(line) }
      guard end == nil, fate != nil || !isDone else { return }
      let when = cause.map { ", \($0)" } ?? ""
      end = "crashed its test process: \(fate ?? TrialProcess.ownEnd)\(when)"
    } catch { throw Failure(error) }
  }

  private mutating func hear(_ line: String) {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return }
    switch parts[0] {
    case "read": isReady = true
    case "next": cause = parts[1]
    case "fault":
      do {
        if let fault = PluginFault(try JSONReader.read(Array(parts[1].utf8))) {
          faults.append(fault)
        }
      } catch {
        // The process is this program, and says nothing else.
      }
    case "unusable": end = parts[1]
    case "done": isDone = true
    case "load": load = Double(parts[1])
    case "longest": longest = Double(parts[1])
    default: break
    }
  }

  /// What is wrong, a clause each.
  private var clauses: [String] { (end.map { [$0] } ?? []) + faults.map(\.clause) }

  /// The sentence for a person, without the plug-in's name.
  package var sentence: String {
    let cost = load.map { load in
      "\((load * 100).decimal(2)) % of a core"
        + (longest.map { ", longest block \($0.decimal(0)) µs" } ?? "")
    }
    let words = clauses.isEmpty ? "no problems found" : clauses.joined(separator: "; ")
    return cost.map { "\(words) (\($0))" } ?? words
  }

  /// The same for programs.
  package func document(_ name: String) -> JSONValue {
    .object([
      ("name", .text(name)), ("usable", .bool(!isUnusable)),
      ("faults", .array(clauses.map { .text($0) })),
      ("problems", .array(faults.map(\.json))),
      ("load", load.map { .decimal($0.decimal(6)) } ?? .null),
      ("longestMicroseconds", longest.map { .decimal($0.decimal(1)) } ?? .null),
    ])
  }
}
