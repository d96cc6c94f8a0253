// SPDX-License-Identifier: Apache-2.0

/// Software that can be installed, with the names of its packages in each family of distributions.
package enum SystemPackage: CaseIterable, Sendable {
  case fluidsynth, sndfile, ffmpeg, soxr, ebur128, curl, cairo, lilv, rubberband, mysofa, avahi
  case jack, pipewireJACK, soundFont
  case pipewireALSA, pulseALSA, rtkit, kernel

  /// Returns the command that installs it, without `sudo`.
  ///
  /// - Parameter system: The family of distributions; by default that of the running system.
  /// - Returns: A command such as `apt install libsoxr0`.
  package func installation(on system: PackageSystem = .current) -> String {
    switch system {
    case .debian: "apt install \(names[0])"
    case .fedora: "dnf install \(names[1])"
    case .arch: "pacman -S \(names[2])"
    case .suse: "zypper install \(names[3])"
    }
  }

  /// The package names for apt, dnf, pacman and zypper, in this order.
  private var names: [String] {
    switch self {
    case .fluidsynth: ["libfluidsynth3", "fluidsynth-libs", "fluidsynth", "libfluidsynth3"]
    case .sndfile: ["libsndfile1", "libsndfile", "libsndfile", "libsndfile1"]
    // The program, because the name of the library package depends on the release.
    case .ffmpeg: ["ffmpeg", "ffmpeg-free", "ffmpeg", "ffmpeg"]
    case .soxr: ["libsoxr0", "soxr", "libsoxr", "libsoxr0"]
    case .ebur128: ["libebur128-1", "libebur128", "libebur128", "libebur128-1"]
    case .curl: ["libcurl4", "libcurl", "curl", "libcurl4"]
    case .cairo: ["libcairo2", "cairo", "cairo", "libcairo2"]
    case .lilv: ["liblilv-0-0", "lilv-libs", "lilv", "liblilv-0-0"]
    case .rubberband: ["librubberband2", "rubberband-libs", "rubberband", "librubberband2"]
    case .mysofa: ["libmysofa1", "libmysofa", "libmysofa", "libmysofa1"]
    case .avahi: ["avahi-daemon", "avahi", "avahi", "avahi"]
    case .jack: ["libjack-jackd2-0", "jack-audio-connection-kit", "jack2", "libjack0"]
    case .pipewireJACK:
      [
        "pipewire-jack", "pipewire-jack-audio-connection-kit", "pipewire-jack",
        "pipewire-libjack-0_3",
      ]
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
