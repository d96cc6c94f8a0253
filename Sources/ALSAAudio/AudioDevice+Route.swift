// SPDX-License-Identifier: Apache-2.0
internal import CALSA

extension AudioDevice {
  /// The version of libasound, such as `1.2.8`.
  public static var libraryVersion: String {
    unsafe snd_asoundlib_version().map { unsafe String(cString: $0) } ?? ""
  }

  /// The chain of ALSA plugins and devices through which sound passes, such as `plug`, `dmix` and
  /// `hw`.
  ///
  /// If the last element is `pulse`, `pipewire` or `jack`, sound is sent to that server. The chain
  /// is empty if the device's name is unknown, or its card is missing. The device is not opened.
  ///
  /// - Note: Not real-time safe: it reads ALSA's configuration.
  public var route: [String] {
    calsa_keep_words()
    var top: OpaquePointer?
    var update: OpaquePointer?
    guard unsafe snd_config_update_r(&top, &update, nil) >= 0, let top = unsafe top else {
      return []
    }
    defer {
      _ = unsafe snd_config_delete(top)
      _ = unsafe snd_config_update_free(update)
    }
    var kinds: [String] = []
    unsafe Self.follow(name, in: top, &kinds)
    return kinds
  }

  /// More than in any usual chain; a configuration may contain a cycle.
  private static let longestRoute = 8

  /// Follows a name.
  ///
  /// A name that refers to another counts as a step, in case it refers to itself.
  private static func follow(
    _ name: String, in top: OpaquePointer, _ kinds: inout [String], steps: Int = 0
  ) {
    var definition: OpaquePointer?
    guard steps < longestRoute,
      unsafe snd_config_search_definition(top, "pcm", name, &definition) >= 0
    else { return }
    defer { _ = unsafe snd_config_delete(definition) }
    var node = unsafe definition
    if let current = unsafe node, let other = unsafe text(of: current) {
      return unsafe follow(other, in: top, &kinds, steps: steps + 1)
    }
    while kinds.count < longestRoute, let current = unsafe node,
      let kind = unsafe child("type", of: current).flatMap({ unsafe text(of: $0) })
    {
      kinds.append(kind)
      unsafe node = unsafe child("slave.pcm", of: current) ?? child("playback.pcm", of: current)
      if let next = unsafe node, let name = unsafe text(of: next) {
        return unsafe follow(name, in: top, &kinds, steps: steps + 1)
      }
    }
  }

  private static func child(_ path: String, of node: OpaquePointer) -> OpaquePointer? {
    var found: OpaquePointer?
    return unsafe snd_config_search(node, path, &found) >= 0 ? found : nil
  }

  private static func text(of node: OpaquePointer) -> String? {
    var text: UnsafePointer<CChar>?
    guard unsafe snd_config_get_string(node, &text) >= 0 else { return nil }
    return unsafe text.map { unsafe String(cString: $0) }
  }
}
