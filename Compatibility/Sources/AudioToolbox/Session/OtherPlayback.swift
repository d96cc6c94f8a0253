// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Playback by other programs, as the kernel reports it.
package enum OtherPlayback {
  /// True if another program plays on a sound card of the machine, or a sound server does.
  ///
  /// - Parameter folder: The kernel's folder for sound cards.
  /// - Returns: True if a substream for playback runs and its owner is another process.
  package static func exists(in folder: String = "/proc/asound") -> Bool {
    contents(folder).filter { $0.hasPrefix("card") }.contains { card in
      contents("\(folder)/\(card)").filter { $0.hasPrefix("pcm") && $0.hasSuffix("p") }
        .contains { pcm in
          contents("\(folder)/\(card)/\(pcm)").filter { $0.hasPrefix("sub") }
            .contains { isForeign("\(folder)/\(card)/\(pcm)/\($0)/status") }
        }
    }
  }

  private static func contents(_ folder: String) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      return []
    }
  }

  private static func isForeign(_ path: String) -> Bool {
    guard let data = FileManager.default.contents(atPath: path) else { return false }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    guard lines.contains(where: { $0.hasPrefix("state: RUNNING") }) else { return false }
    let owner = lines.first { $0.hasPrefix("owner_pid") }?.split(separator: ":").last
    return owner?.trimmingCharacters(in: .whitespaces)
      != "\(ProcessInfo.processInfo.processIdentifier)"
  }
}

extension SystemSession {
  /// True if another program plays on a sound card, as the kernel reports it.
  ///
  /// A sound server that plays for this process counts as another program.
  package var isOtherAudioPlaying: Bool { OtherPlayback.exists() }
}
