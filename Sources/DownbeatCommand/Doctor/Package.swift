// SPDX-License-Identifier: Apache-2.0

/// What can be installed, by the names that the distributions give it.
enum Package: CaseIterable {
  case fluidsynth, sndfile, ffmpeg, soxr, ebur128, curl, soundFont, pipewireALSA, pulseALSA,
    rtkit, kernel

  /// For apt, dnf, pacman and zypper, in this order.
  fileprivate var names: [String] {
    switch self {
    case .fluidsynth: ["libfluidsynth3", "fluidsynth-libs", "fluidsynth", "libfluidsynth3"]
    case .sndfile: ["libsndfile1", "libsndfile", "libsndfile", "libsndfile1"]
    // Of the version that was tried, where a distribution has more than one.
    case .ffmpeg: ["libavformat59", "ffmpeg-libs", "ffmpeg", "libavformat59"]
    case .soxr: ["libsoxr0", "soxr", "libsoxr", "libsoxr0"]
    case .ebur128: ["libebur128-1", "libebur128", "libebur128", "libebur128-1"]
    case .curl: ["libcurl4", "libcurl", "curl", "libcurl4"]
    case .soundFont:
      ["fluid-soundfont-gm", "fluid-soundfont-gm", "soundfont-fluid", "fluid-soundfont-gm"]
    case .pipewireALSA: ["pipewire-alsa", "pipewire-alsa", "pipewire-alsa", "pipewire-alsa"]
    case .pulseALSA:
      ["libasound2-plugins", "alsa-plugins-pulseaudio", "alsa-plugins", "alsa-plugins-pulse"]
    case .rtkit: ["rtkit", "rtkit", "rtkit", "rtkit"]
    case .kernel:
      ["linux-image-$(dpkg --print-architecture)", "kernel-modules", "linux", "kernel-default"]
    }
  }
}

extension Machine {
  /// The command that installs a package here; on an unknown system Debian's.
  func installing(_ package: Package) -> String {
    let tools = ["apt install", "dnf install", "pacman -S", "zypper install"]
    let place = distribution
    return "sudo \(tools[place]) \(package.names[place])"
  }

  /// The place of this machine's tool among them.
  private var distribution: Int {
    let lines = (text(of: "/etc/os-release") ?? "").split(whereSeparator: \.isNewline)
    let words = lines.filter { $0.hasPrefix("ID=") || $0.hasPrefix("ID_LIKE=") }
      .flatMap { $0.split { "= \"'".contains($0) }.dropFirst() }
    let families = [["debian", "ubuntu"], ["fedora", "rhel"], ["arch"], ["suse", "opensuse"]]
    return families.firstIndex { $0.contains { name in words.contains { $0 == name } } } ?? 0
  }
}
