// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import FileNames
internal import Glibc

/// A sound device for playback, recording or both, as listed in ALSA's configuration.
public struct AudioDevice: Hashable, Sendable {
  /// The use of a sound device: playback or recording.
  public enum Direction: Hashable, Sendable, CaseIterable {
    /// The device plays sound.
    case playback
    /// The device records sound.
    case capture
  }

  /// The ALSA name with which the device is opened, such as `default`, `hw:CARD=PCH,DEV=0` or
  /// `null`.
  public let name: String
  /// A description of the device for people, in one line.
  public let description: String
  /// The uses of the device according to ALSA's configuration: playback, recording or both.
  ///
  /// The card may not support all of them; `capabilities(_:)` opens the device to find out.
  public let directions: Set<Direction>

  /// Returns all devices in ALSA's configuration, in its order and without duplicates.
  ///
  /// The devices are not opened.
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
      guard let device = unsafe AudioDevice(hint: hint) else { continue }
      if let known = devices.firstIndex(where: { $0.name == device.name }) {
        devices[known] = devices[known].merged(with: device)
      } else {
        devices.append(device)
      }
    }
    return devices
  }

  /// Returns the devices for playback or for recording, in the order of ALSA's configuration.
  ///
  /// The devices are not opened.
  ///
  /// - Note: Not real-time safe: it reads ALSA's configuration.
  public static func all(_ direction: Direction) -> [AudioDevice] {
    all().filter { $0.directions.contains(direction) }
  }

  /// Reads an entry of ALSA's list; nil without a name.
  private init?(hint: UnsafeMutableRawPointer) {
    guard let name = unsafe Self.text("NAME", of: hint) else { return nil }
    let description = unsafe Self.text("DESC", of: hint) ?? ""
    self.name = name
    self.description = description.split(separator: "\n").joined(separator: ", ")
    // Without a direction a device has both.
    directions =
      switch unsafe Self.text("IOID", of: hint) {
      case "Input": [.capture]
      case "Output": [.playback]
      default: [.playback, .capture]
      }
  }

  /// Creates a device that ALSA may or may not list.
  package init(name: String, description: String = "", directions: Set<Direction>) {
    (self.name, self.description, self.directions) = (name, description, directions)
  }

  /// The device named `default`, which is used if no other is named.
  public static let standard = AudioDevice(
    name: "default", description: "", directions: [.playback, .capture])

  private func merged(with other: AudioDevice) -> AudioDevice {
    AudioDevice(
      name: name, description: description.isEmpty ? other.description : description,
      directions: directions.union(other.directions))
  }

  /// The names to suggest in place of one that does not open.
  ///
  /// A card has some ten names; those of single loudspeakers and of bare hardware are left out.
  static func candidates(_ direction: Direction) -> [String] {
    let kinds = ["default", "sysdefault", "pipewire", "pulse", "jack", "plughw", "null"]
    return all(direction).map(\.name).filter { name in
      kinds.contains { name == $0 || name.hasPrefix("\($0):") }
    }
  }

  /// True if there is a sound card that this user may not open, and which ALSA therefore does not
  /// list.
  static var hasRefusedCard: Bool {
    (0..<32).contains { number in
      let node = "/dev/snd/controlC\(number)"
      return node.withSystemPath {
        unsafe access($0, F_OK) == 0 && access($0, R_OK | W_OK) != 0
      }
    }
  }

  /// True if there is a sound card that this user may open.
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
