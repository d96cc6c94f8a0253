// SPDX-License-Identifier: Apache-2.0
package import CommandKit
package import JSONText
package import LV2Units
internal import PlayerControl

/// The faults of a plug-in that was rendered in a separate process.
package struct PluginVerdict {
  /// The reason why it cannot be used, or how the process ended; nil if it is usable.
  private var end: String?
  /// The other faults.
  package private(set) var faults: [PluginFault] = []
  /// True if the files of the bundle have been read.
  private var isReady = false
  /// True if the test has reached its end.
  private var isDone = false
  /// The last step that may have ended the process.
  private var cause: String?
  /// The mean rendering time as a fraction of real time; nil if it has not rendered.
  private(set) var load: Double?
  /// The longest rendering time of a block of 64 frames, in microseconds.
  package private(set) var longest: Double?

  /// The silence of the process after which it is ended, in seconds.
  private static let patience = 30
  /// The same while it reads the files of the bundle.
  private static let readingPatience = 180

  /// True if it crashed, hung, or could not be used at all.
  package var isUnusable: Bool { end != nil }

  /// Renders a plug-in in a separate process.
  ///
  /// - Throws: `Failure` if this program cannot be started again.
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
        // The other process is this program, which does not send anything else.
      }
    case "unusable": end = parts[1]
    case "done": isDone = true
    case "load": load = Double(parts[1])
    case "longest": longest = Double(parts[1])
    default: break
    }
  }

  /// The faults, each as a clause.
  private var clauses: [String] { (end.map { [$0] } ?? []) + faults.map(\.clause) }

  /// The sentence for the user, without the plug-in's name.
  package var sentence: String {
    let cost = load.map { load in
      "\((load * 100).decimal(2)) % of a core"
        + (longest.map { ", longest block \($0.decimal(0)) µs" } ?? "")
    }
    let words = clauses.isEmpty ? "no problems found" : clauses.joined(separator: "; ")
    return cost.map { "\(words) (\($0))" } ?? words
  }

  /// The verdict as JSON.
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
