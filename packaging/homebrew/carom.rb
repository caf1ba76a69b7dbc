# SPDX-License-Identifier: MIT
# A formula for Homebrew. Not tried: no macOS is at hand where carom is developed. MUMPS comes from a tap or from source.
class Carom < Formula
  desc "Impact dynamics whose books balance"
  license "MIT"
  version "0.1.0"

  depends_on "cmake" => :build
  depends_on "pkg-config" => :build
  depends_on "libfyaml"
  depends_on "libomp"
  depends_on "openblas"

  def install
    system "cmake", "-S", ".", "-B", "build", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system "#{bin}/carom", "--version"
  end
end
