// SPDX-License-Identifier: Apache-2.0

/// A program that shares the sound card between other programs.
struct SoundServer {
  let name: String
  /// The name of its ALSA plug-in.
  let kind: String
  /// The paths of its sockets.
  let sockets: [String]
  /// The command that starts it.
  let start: String

  /// Returns the known servers, the most common first.
  static func all(on machine: Machine) -> [SoundServer] {
    let runtime = machine.variable("XDG_RUNTIME_DIR")
    func paths(_ variable: String, _ name: String) -> [String] {
      [machine.variable(variable) ?? runtime].compactMap { folder in folder.map { "\($0)/\(name)" }
      }
    }
    let pulse =
      machine.variable("PULSE_RUNTIME_PATH").map { ["\($0)/native"] }
      ?? runtime.map { ["\($0)/pulse/native"] } ?? []
    let jack = machine.variable("JACK_DEFAULT_SERVER") ?? "default"
    return [
      SoundServer(
        name: "PipeWire", kind: "pipewire",
        sockets: paths(
          "PIPEWIRE_RUNTIME_DIR", machine.variable("PIPEWIRE_REMOTE") ?? "pipewire-0"),
        start: "systemctl --user start pipewire.socket wireplumber.service"),
      SoundServer(
        name: "PulseAudio", kind: "pulse", sockets: pulse,
        start: "systemctl --user start pulseaudio.socket"),
      SoundServer(
        name: "JACK", kind: "jack",
        sockets: ["/dev/shm", "/tmp"].map {
          "\(machine.root)\($0)/jack_\(jack)_\(machine.userID)_0"
        } + ["\(machine.root)/tmp/jack-\(machine.userID)/\(jack)/jack_0"],
        start: "jackd -d alsa"),
    ]
  }
}
