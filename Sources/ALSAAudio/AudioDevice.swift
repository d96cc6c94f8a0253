// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import FileNames
internal import Glibc

/// A sound device that can be played on, as ALSA's configuration names it.
public struct AudioDevice: Hashable, Sendable {
  /// What to open, such as `default`, `hw:CARD=PCH,DEV=0` or `null`.
  public let name: String
  /// What it is, in one line.
  public let description: String

  /// Every device ALSA knows to play on, in its own order.
  ///
  /// - Note: Not real-time safe: it reads ALSA's configuration.
  public static func all() -> [AudioDevice] {
    calsa_keep_words()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard unsafe snd_device_name_hint(-1, "pcm", &hints) == 0, let list = unsafe hints else {
      return []
    }
    defer { _ = unsafe snd_device_name_free_hint(hints) }
    var devices: [AudioDevice] = []
    var place = 0
    while let hint = unsafe list[place] {
      place += 1
      // Without a direction a device goes both ways.
      guard unsafe text("IOID", of: hint) != "Input", let name = unsafe text("NAME", of: hint)
      else { continue }
      let description = unsafe text("DESC", of: hint) ?? ""
      let line = description.split(separator: "\n").joined(separator: ", ")
      devices.append(AudioDevice(name: name, description: line))
    }
    return devices
  }

  /// The names worth trying in place of one that does not open.
  ///
  /// A card has some ten names; those of single loudspeakers and of bare hardware are left out.
  static var candidates: [String] {
    let kinds = ["default", "sysdefault", "pipewire", "pulse", "jack", "plughw", "null"]
    return all().map(\.name).filter { name in
      kinds.contains { name == $0 || name.hasPrefix("\($0):") }
    }
  }

  /// Whether there is a sound card that this user may not open, which ALSA takes for none.
  static var hasRefusedCard: Bool {
    (0..<32).contains { number in
      let node = "/dev/snd/controlC\(number)"
      return node.withSystemPath {
        unsafe access($0, F_OK) == 0 && access($0, R_OK | W_OK) != 0
      }
    }
  }

  /// Whether the machine has a sound card that this user may open.
  static var hasCard: Bool {
    var card: Int32 = -1
    return unsafe snd_card_next(&card) == 0 && card >= 0
  }

  private static func text(_ key: String, of hint: UnsafeMutableRawPointer) -> String? {
    guard let text = unsafe snd_device_name_get_hint(hint, key) else { return nil }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
